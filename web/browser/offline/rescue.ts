// Runs before anything else of the page, and independently of it. If a script or a style sheet does
// not load, or the page fails before it shows anything, it reports the error. It then reloads
// everything, bypassing all files stored by the service worker and the browser.
import { HASHED_FOLDER } from '../../contract/response-headers.mjs';
import { cachesOf } from './caches';
import { ENGINE_MISSING } from './messages';

const AFRESH = '?afresh';
const FOLDER = new URL('./', location.href).href;

const faults: string[] = [];

if (location.search === AFRESH) history.replaceState(null, '', location.pathname + location.hash);

addEventListener(
  'error',
  (event) => {
    const { target } = event;
    if (target instanceof HTMLScriptElement) tellMissing(target.src);
    else if (isStyleSheet(target)) styleAgain(target);
    else if (event instanceof ErrorEvent) tellIfBlank(event.message);
  },
  true,
);
// Chromium treats any other content of a style sheet as an empty one.
document.addEventListener(
  'load',
  ({ target }) => {
    if (isStyleSheet(target) && !target.sheet?.cssRules.length) styleAgain(target);
  },
  true,
);
addEventListener('vite:preloadError', (event) => {
  tell((event as Event & { payload: Error }).payload.message.replace(FOLDER, ''));
});
addEventListener(ENGINE_MISSING, (event) => {
  tell(`the engine: ${(event as CustomEvent<string>).detail.replace(FOLDER, '')}`);
});

function isStyleSheet(target: EventTarget | null): target is HTMLLinkElement {
  return target instanceof HTMLLinkElement && target.rel === 'stylesheet';
}

function tellMissing(address: string): void {
  tell(`could not be loaded: ${address.replace(FOLDER, '')}`);
}

/**
 * Bypasses every cache of style sheets, including Chromium's memory cache, which a page cannot
 * reach.
 */
function styleAgain(link: HTMLLinkElement): void {
  const [address, secondTime] = link.href.split(AFRESH);
  if (secondTime !== undefined) {
    tellUnstyled(address!);
    return;
  }
  const again = link.cloneNode() as HTMLLinkElement;
  again.href += `${AFRESH}=${performance.timeOrigin}`;
  link.replaceWith(again);
}

function tellUnstyled(address: string): void {
  tellMissing(address);
  // Charts without a size draw forever.
  onceParsed(() => {
    document.getElementById('root')!.hidden = true;
  });
}

function tellIfBlank(fault: string): void {
  requestAnimationFrame(() => {
    const root = document.getElementById('root');
    const isBlank = root?.childElementCount === 0 || document.getElementById('loading') !== null;
    if (isBlank) tell(fault);
  });
}

/**
 * Reports a fault once: a missing part of the engine is also reported as a missing part of the
 * page.
 */
function tell(fault: string): void {
  if (faults.some((told) => fault.endsWith(told))) return;
  const isFirst = faults.length === 0;
  faults.push(fault);
  onceParsed(show);
  // If the host is unreachable or names no files, there is nothing more to report.
  if (isFirst) tellDamaged().catch(() => undefined);
}

/**
 * Compares all files with the digests of the build, because browsers do not report which script
 * they could not read.
 */
async function tellDamaged(): Promise<void> {
  const files = Object.entries(await digestsOfBuild()).filter(([file]) => file.startsWith(HASHED_FOLDER));
  for (const [file, integrity] of files) {
    const isWhole = await fetch(`${FOLDER}${file}`, { integrity }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (!isWhole && !faults.some((told) => told.includes(file))) tell(`missing or damaged: ${file}`);
  }
}

function onceParsed(work: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', work, { once: true });
  else work();
}

function show(): void {
  document.getElementById('loading')?.remove();
  document.getElementById('rescue')?.remove();
  document.body.prepend(notice());
}

function notice(): HTMLElement {
  const outcome = element('p', '');
  const button = element('button', 'Reload page');
  button.type = 'button';
  button.className = 'button';
  button.addEventListener('click', () => {
    outcome.textContent = 'Loading all files …';
    loadAfresh().catch(() => {
      outcome.textContent =
        'The server is not reachable. The copy on this device is unchanged. Try again later.';
    });
  });
  const list = element('ul', '');
  list.append(...faults.map((fault) => element('li', fault)));
  const box = element('div', '');
  box.id = 'rescue';
  box.className = 'notice';
  box.setAttribute('role', 'alert');
  box.append(
    element('strong', 'Part of Latchscope is missing.'),
    list,
    element(
      'p',
      'The network may have failed, or the server may have a newer version. Reload to fix it. This ends the current run; the address keeps its settings, and the page offers to repeat the run.',
    ),
    button,
    outcome,
  );
  return box;
}

function element<K extends keyof HTMLElementTagNameMap>(tag: K, text: string): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

async function loadAfresh(): Promise<void> {
  // This comes first: if it fails, nothing is lost.
  await fetchPastCache(FOLDER);
  // If storage is forbidden, there is nothing to delete.
  await forgetKept().catch(() => undefined);
  const files = await filesOfBuild().catch(() => []);
  const addresses = new Set([...files, ...addressesLoaded(), location.href]);
  await Promise.allSettled([...addresses].map(fetchPastCache));
  location.reload();
}

const filesOfBuild = async () => Object.keys(await digestsOfBuild()).map((file) => `${FOLDER}${file}`);

/**
 * Returns the files of the build that the host has now, as its service worker lists them
 * (tools/kept-files.mjs).
 */
async function digestsOfBuild(): Promise<Record<string, string>> {
  const serviceWorker = await fetchPastCache(`${FOLDER}service-worker.js`);
  const [, build] = /^const BUILD = (.*);$/m.exec(serviceWorker)!;
  return (JSON.parse(build!) as { files: Record<string, string> }).files;
}

async function fetchPastCache(address: string): Promise<string> {
  const response = await fetch(address, { cache: 'reload' });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response.text();
}

async function forgetKept(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  const own = registrations.filter(({ scope }) => scope === FOLDER);
  await Promise.all(own.map((registration) => registration.unregister()));
  await Promise.all((await cachesOf(FOLDER)).map((name) => caches.delete(name)));
}

function addressesLoaded(): string[] {
  return performance
    .getEntriesByType('resource')
    .map(({ name }) => name)
    .filter((name) => name.startsWith(FOLDER));
}
