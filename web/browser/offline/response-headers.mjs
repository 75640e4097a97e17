// The headers that Latchscope is served with: by `npm start`, by Vite while it is developed, and by the service worker where a
// host sends none. docs/guide/hosting.md repeats them for other hosts; a test holds the two together.

/** Shared memory needs a cross-origin isolated page. The last one isolates Chromium inside somebody's iframe, too. */
export const isolation_headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Document-Isolation-Policy': 'isolate-and-credentialless',
};

/** An answer is only what it says it is, and no other site learns of the reader's link. */
export const hardening_headers = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};

/** What the page and its workers may load: what lies beside them, and nothing inline. */
export const content_security_policy = [
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

/** Who may show the page in a frame, unless the host decides otherwise. */
const FRAME_ANCESTORS = "'self'";

/**
 * All headers of a host.
 * @param {string} [frame_ancestors] who may show the page in a frame, as in a content security policy
 * @returns {Record<string, string>}
 */
export function hostHeaders(frame_ancestors = FRAME_ANCESTORS) {
  return {
    ...isolation_headers,
    ...hardening_headers,
    // A policy inside the page cannot say who may frame it.
    'Content-Security-Policy': `${content_security_policy}; frame-ancestors ${frame_ancestors}`,
  };
}

/** Names of files in this folder hold a digest of what is in them: they never change. */
export const HASHED_FOLDER = 'assets/';

/** How long a browser may keep a file without asking again. */
export const cache_control = {
  hashed: 'public, max-age=31536000, immutable',
  other: 'no-cache',
  fault: 'no-store',
};
