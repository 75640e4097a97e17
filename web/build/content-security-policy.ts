import type { Plugin } from 'vite';

import { contentSecurityPolicy as policyText } from '../browser/offline/response-headers.mjs';

/**
 * Puts the policy into the built page, so that it applies on any host. Vite's own dev page needs
 * inline scripts.
 */
export function contentSecurityPolicy(): Plugin {
  return {
    name: 'latchscope:content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: policyText },
        injectTo: 'head-prepend',
      },
    ],
  };
}
