// Registers the service worker and reports its state to the page
// (web/browser/offline/service-worker.ts).
import { ENGINE_MISSING, type OfflineMessage, type OfflineNews } from './offline/messages';
import type { Session } from '../session/session';
import type { ExplorerState } from '../session/store';

/** Stores the page for offline use, if the browser allows it. */
export async function keepOffline(session: Session): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  // Before the registration, because the worker may report it at once.
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<Partial<OfflineNews>>) => {
    if (data.kind === 'no_room') tellChange(session, { lacksSpace: true });
  });
  const registration = await navigator.serviceWorker.register('./service-worker.js').catch(() => null);
  if (registration === null) return;
  const tell = () => {
    const isKept = registration.active !== null;
    tellChange(session, {
      status: isKept ? 'kept' : 'not_kept',
      hasNewer: isKept && registration.waiting !== null,
      wouldIsolate: isKept && !crossOriginIsolated && isTopmost(),
    });
  };
  const follow = (worker: ServiceWorker | null) => worker?.addEventListener('statechange', tell);
  follow(registration.installing);
  registration.addEventListener('updatefound', () => follow(registration.installing));
  navigator.serviceWorker.addEventListener('controllerchange', tell);
  tell();
  if (registration.active) post(registration.active, { kind: 'page_opened' });
}

function tellChange({ store }: Session, change: Partial<ExplorerState['offline']>): void {
  store.setState(({ offline }) => ({ offline: { ...offline, ...change } }));
}

/** Reports an engine that fails to load as a missing part of the page. */
export function tellIfEngineIsMissing(session: Session): void {
  session.store.subscribe(({ engine_status, engine_failure }, before) => {
    const hasFailed = before.engine_status === 'loading' && engine_status === 'not_loaded';
    if (hasFailed && engine_failure !== null)
      dispatchEvent(new CustomEvent(ENGINE_MISSING, { detail: engine_failure }));
  });
}

/** Reloads the page, with a newer build if there is one. */
export async function reload(): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration();
  if (registration?.waiting) await takeOver(registration.waiting);
  location.reload();
}

/** Resolves once `worker` controls this page, or another worker has replaced it. */
function takeOver(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve) => {
    worker.addEventListener('statechange', () => {
      resolve();
    });
    post(worker, { kind: 'take_over' });
  });
}

function post(worker: ServiceWorker, message: OfflineMessage): void {
  worker.postMessage(message);
}

// In a frame, the headers of the embedding page also matter.
const isTopmost = () => window.top === window;
