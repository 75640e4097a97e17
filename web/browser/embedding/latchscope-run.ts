// Implements <latchscope-run>, which shows one bug of Latchscope in any page. The build compiles it
// to latchscope-run.js. Everything else is in embed.html, in a frame of Latchscope's own origin.
import { describeFaults, type Fault } from '../../contract/fault';
import { EMBED_PAGE, EMBED_SCRIPT } from '../../contract/response-headers.mjs';
import { EMBED_FIELDS, formatEmbedFragment, HEIGHT_PX, parseEmbedOptions } from './embed-options';
import { ELEMENT_FRAME, embedMessageIn } from './messages';

/** The height until the frame reports its own: that of a usual bug on a laptop. */
const FIRST_HEIGHT_PX = 400;
/** The frame loads this far before the reader scrolls to it. */
const LOAD_MARGIN = '300px';
/** The frame runs Latchscope's scripts in its own origin, and may do nothing else. */
const SANDBOX = 'allow-scripts allow-same-origin';

const script =
  document.currentScript ?? document.querySelector<HTMLScriptElement>(`script[src*="${EMBED_SCRIPT}"]`);
const folder = script instanceof HTMLScriptElement ? new URL('./', script.src) : null;

const styles = new CSSStyleSheet();
for (const rule of [
  ':host { display: block; }',
  ':host([hidden]) { display: none; }',
  'iframe { display: block; width: 100%; height: 100%; border: 0; }',
  '[role=alert] { padding: 0.75rem; border: 1px solid #b4480a; font: 1rem/1.4 system-ui, sans-serif; }',
])
  styles.insertRule(rule);

class LatchscopeRun extends HTMLElement {
  static readonly observedAttributes = EMBED_FIELDS;
  readonly #root = this.attachShadow({ mode: 'open' });
  #frame: HTMLIFrameElement | null = null;
  #nearView: IntersectionObserver | null = null;
  #isChanged = false;

  constructor() {
    super();
    this.#root.adoptedStyleSheets = [styles];
  }

  connectedCallback(): void {
    addEventListener('message', this.#onMessage);
    this.#show();
  }

  disconnectedCallback(): void {
    removeEventListener('message', this.#onMessage);
    this.#clear();
  }

  /** Several attributes that change together load one frame. */
  attributeChangedCallback(): void {
    if (this.#isChanged || !this.isConnected) return;
    this.#isChanged = true;
    queueMicrotask(() => {
      this.#isChanged = false;
      if (this.isConnected) this.#show();
    });
  }

  #show(): void {
    this.#clear();
    const options = parseEmbedOptions(
      EMBED_FIELDS.flatMap((field) => {
        const value = this.getAttribute(field);
        return value === null ? [] : [[field, value] as const];
      }),
    );
    if (folder === null) {
      const allowed = `a script element whose src ends with ${EMBED_SCRIPT}`;
      this.#tell([{ field: 'script', value: '', allowed }]);
    } else if (options.ok) {
      const { bug, heightPx } = options.value;
      const src = new URL(EMBED_PAGE + formatEmbedFragment(options.value), folder).href;
      this.style.height = `${heightPx ?? FIRST_HEIGHT_PX}px`;
      this.#load(src, bug);
    } else {
      this.#tell(options.errors);
    }
  }

  #load(src: string, bug: string): void {
    this.#nearView = new IntersectionObserver(
      (entries) => {
        if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
        this.#nearView?.disconnect();
        const frame = document.createElement('iframe');
        frame.setAttribute('sandbox', SANDBOX);
        frame.name = ELEMENT_FRAME;
        frame.referrerPolicy = 'no-referrer';
        frame.title = `Latchscope: bug #${bug}`;
        frame.src = src;
        this.#frame = frame;
        this.#root.replaceChildren(frame);
      },
      { rootMargin: LOAD_MARGIN },
    );
    this.#nearView.observe(this);
  }

  #tell(faults: readonly Fault[]): void {
    const alert = document.createElement('div');
    alert.setAttribute('role', 'alert');
    alert.textContent = `latchscope-run: ${describeFaults(faults).join('. ')}.`;
    this.style.height = '';
    this.#root.replaceChildren(alert);
  }

  #clear(): void {
    this.#nearView?.disconnect();
    this.#nearView = null;
    this.#frame = null;
    this.#root.replaceChildren();
  }

  /** Any page can send messages; only those of this element's own frame count. */
  readonly #onMessage = ({ source, origin, data }: MessageEvent): void => {
    if (folder === null || this.#frame === null) return;
    if (source !== this.#frame.contentWindow || origin !== folder.origin) return;
    const message = embedMessageIn(data);
    if (message?.kind === 'latchscope:size' && !this.hasAttribute('height'))
      this.style.height = `${Math.min(Math.max(message.heightPx, HEIGHT_PX.min), HEIGHT_PX.max)}px`;
    if (message?.kind === 'latchscope:open' && message.href.startsWith(folder.href))
      open(message.href, '_blank', 'noopener');
  };
}

if (customElements.get('latchscope-run') === undefined)
  customElements.define('latchscope-run', LatchscopeRun);
