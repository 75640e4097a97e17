import type { Plugin } from 'vite';

const content_security_policy = [
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

/** Puts the policy into the built page, so that it holds on any host. Vite's own dev page needs inline scripts. */
export function contentSecurityPolicy(): Plugin {
  return {
    name: 'latchscope:content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: content_security_policy },
        injectTo: 'head-prepend',
      },
    ],
  };
}
