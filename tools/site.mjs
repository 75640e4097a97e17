// Makes a site for any static host from a built page. Adds link previews, a page for missing files,
// and a _headers file.
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  cacheControl,
  EMBED_PAGE,
  EMBED_SCRIPT,
  HASHED_FOLDER,
  headersOf,
} from '../web/contract/response-headers.mjs';
import { usageError } from './command-line.mjs';
import { SERVICE_WORKER, serviceWorkerOf } from './kept-files.mjs';
import { repository } from './processes.mjs';

const PREVIEW = 'preview.png';
const PREVIEW_SOURCE = join(repository, 'docs/images', PREVIEW);
export const PREVIEW_SIZE = { width: 1200, height: 630 };
const TITLE = 'Latchscope: MySQL lock contention, live in a web page';

/**
 * Returns the address of a site with a slash at its end. Throws a UsageError for an invalid one.
 * @param {string | undefined} text
 * @returns {string | null} null without an address
 */
export function siteAddress(text) {
  if (text === undefined) return null;
  const address = URL.canParse(text) ? new URL(text) : null;
  const isValid =
    address !== null && /^https?:$/.test(address.protocol) && address.search === '' && address.hash === '';
  if (!isValid)
    throw usageError('--url', text, 'the address of the site, such as https://example.org/latchscope/');
  return address.href.replace(/\/?$/, '/');
}

/**
 * Writes the site for a built page.
 * @param {string} dist folder of the built page
 * @param {string} folder is replaced
 * @param {{ url?: string | null }} [options] `url`: the address of the site, which link previews
 *   need
 */
export function writeSite(dist, folder, { url = null } = {}) {
  rmSync(folder, { recursive: true, force: true });
  cpSync(dist, folder, { recursive: true });
  const page = join(folder, 'index.html');
  const html = readFileSync(page, 'utf8');
  const [, description] = /name="description"\s+content="([^"]*)"/.exec(html);
  writeFileSync(page, html.replace('</head>', `${previewTags(description, url)}  </head>`));
  const [, code] = readFileSync(join(folder, SERVICE_WORKER), 'utf8').split(/^const BUILD = .*\n/);
  writeFileSync(join(folder, SERVICE_WORKER), serviceWorkerOf(folder, code));
  // Written after the list of files that browsers store: the page never requests these.
  cpSync(PREVIEW_SOURCE, join(folder, PREVIEW));
  writeFileSync(join(folder, '404.html'), missingPage(url));
  writeFileSync(join(folder, '_headers'), headersFile());
}

/** `description` is already escaped. */
function previewTags(description, url) {
  const tags = {
    'og:type': 'website',
    'og:title': TITLE,
    'og:description': description,
    ...(url === null ? {} : { 'og:url': escaped(url) }),
    'og:image': escaped(`${url ?? './'}${PREVIEW}`),
    'og:image:width': PREVIEW_SIZE.width,
    'og:image:height': PREVIEW_SIZE.height,
    'og:image:alt': 'Throughput of a bug that breaks and is fixed during the run',
  };
  const openGraph = Object.entries(tags).map(
    ([property, content]) => `    <meta property="${property}" content="${content}" />\n`,
  );
  return `${openGraph.join('')}    <meta name="twitter:card" content="summary_large_image" />\n`;
}

/** A host shows this page at the address of the missing file, so only an absolute link works there. */
function missingPage(url) {
  const way = url === null ? '' : `\n    <p><a href="${escaped(url)}">Open Latchscope</a></p>`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>Page not found – Latchscope</title>
  </head>
  <body>
    <h1>Page not found</h1>
    <p>There is no page at this address.</p>${way}
  </body>
</html>
`;
}

/**
 * Returns the `_headers` file of Netlify and Cloudflare Pages. docs/guide/hosting.md shows it.
 * @returns {string}
 */
export function headersFile() {
  const all = headersOf('index.html');
  const ofFile = (file) => {
    const other = Object.entries(headersOf(file)).filter(([name, value]) => all[name] !== value);
    return [`/${file}`, ...other.flatMap(([name, value]) => [`  ! ${name}`, `  ${name}: ${value}`])];
  };
  const lines = [
    '/*',
    ...Object.entries(all).map(([name, value]) => `  ${name}: ${value}`),
    `  Cache-Control: ${cacheControl.other}`,
    ...ofFile(EMBED_PAGE),
    ...ofFile(EMBED_SCRIPT),
    `/${HASHED_FOLDER}*`,
    '  ! Cache-Control',
    `  Cache-Control: ${cacheControl.hashed}`,
  ];
  return `${lines.join('\n')}\n`;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
