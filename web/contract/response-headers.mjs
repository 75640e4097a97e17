// Defines Latchscope's response headers. `npm start` and Vite's dev server send them, and the
// service worker adds them if a host does not. docs/guide/hosting.md repeats them for other hosts;
// a test compares the two.

/**
 * Shared memory needs a cross-origin isolated page. The last header also isolates Chromium inside a
 * foreign iframe.
 */
export const isolationHeaders = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Document-Isolation-Policy': 'isolate-and-credentialless',
};

/** Browsers do not guess content types, and no other site sees the reader's link. */
export const hardeningHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** The page and its workers load only from their own origin, and nothing inline. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Origins that may show the page in a frame, unless the host decides otherwise. */
const FRAME_ANCESTORS = "'self'";

/**
 * Returns all headers of a host.
 * @param {string} [frameAncestors] origins that may frame the page, as in a content security
 *   policy
 * @returns {Record<string, string>}
 */
export function hostHeaders(frameAncestors = FRAME_ANCESTORS) {
  return {
    ...isolationHeaders,
    ...hardeningHeaders,
    // A policy inside the page cannot restrict frames.
    'Content-Security-Policy': `${contentSecurityPolicy}; frame-ancestors ${frameAncestors}`,
  };
}

/** The page that any site may frame. */
export const EMBED_PAGE = 'embed.html';
/** The script that any site may load, to frame that page. */
export const EMBED_SCRIPT = 'latchscope-run.js';

/** Isolated sites may also load these two. */
const sharedHeaders = { 'Cross-Origin-Resource-Policy': 'cross-origin' };

/**
 * Returns all headers that isolate a file.
 * @param {string} file path below the page's folder
 * @returns {Record<string, string>}
 */
export function isolationHeadersOf(file) {
  const isShared = file === EMBED_PAGE || file === EMBED_SCRIPT;
  return isShared ? { ...isolationHeaders, ...sharedHeaders } : isolationHeaders;
}

/**
 * Returns all headers of a host for one file.
 * @param {string} file path below the page's folder
 * @param {string} [frameAncestors] as for `hostHeaders`; any site may frame the embedded page
 * @returns {Record<string, string>}
 */
export function headersOf(file, frameAncestors) {
  return {
    ...hostHeaders(file === EMBED_PAGE ? '*' : frameAncestors),
    ...isolationHeadersOf(file),
  };
}

/** File names in this folder contain a digest of the content, so these files never change. */
export const HASHED_FOLDER = 'assets/';

/** How long a browser may store a file without revalidation. */
export const cacheControl = {
  hashed: 'public, max-age=31536000, immutable',
  other: 'no-cache',
  fault: 'no-store',
};
