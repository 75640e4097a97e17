/** Shared memory needs a cross-origin isolated page. The third one isolates Chromium inside somebody's iframe too. */
export const isolation_headers = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Document-Isolation-Policy': 'isolate-and-credentialless',
};
