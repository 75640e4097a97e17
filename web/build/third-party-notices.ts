// Writes the license notices of all software in the page.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import type { Plugin } from 'vite';

/** In the folder of index.html, which links to it. */
export const NOTICES_FILE = 'THIRD-PARTY-NOTICES.txt';

/** Vite lists the bundled packages in it: the option `build.license`. */
export const BUNDLED_PACKAGES_FILE = 'licenses.json';

/**
 * Software compiled into the engine, in whole or in part; its notices are in
 * wasm-engine/third_party/notices/.
 */
const engineParts = [
  { title: 'nlohmann/json (MIT)', file: 'nlohmann-json.txt' },
  { title: 'CLI11 (BSD-3-Clause), in the command line', file: 'cli11.txt' },
  { title: 'Emscripten (MIT)', file: 'emscripten.txt' },
  { title: 'musl (MIT)', file: 'musl.txt' },
  { title: 'libc++, libc++abi, compiler-rt (Apache-2.0 WITH LLVM-exception)', file: 'llvm-runtimes.txt' },
  { title: 'dlmalloc (CC0-1.0)', file: 'dlmalloc.txt' },
];

/** An entry of Vite's list. */
interface BundledPackage {
  name: string;
  version: string;
  identifier?: string;
  text?: string;
}

interface Notice {
  title: string;
  text: string;
}

/**
 * Writes the notices of all bundled or compiled software. The build fails for a package without
 * one.
 */
export function thirdPartyNotices(root: string): Plugin {
  return {
    name: 'latchscope:third-party-notices',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const list = bundle[BUNDLED_PACKAGES_FILE];
        if (list?.type !== 'asset') this.error(`build.license does not write ${BUNDLED_PACKAGES_FILE}`);
        const packages = JSON.parse(String(list.source)) as BundledPackage[];
        const listed = new Set(packages.map(({ name }) => name));
        for (const name of workerPackages)
          if (!listed.has(name))
            this.error(`${name}: a worker alone bundles it; ${NOTICES_FILE} would lack its notice`);
        Reflect.deleteProperty(bundle, BUNDLED_PACKAGES_FILE);
        this.emitFile({ type: 'asset', fileName: NOTICES_FILE, source: noticesOf(root, packages) });
      },
    },
  };
}

/**
 * Packages that workers bundle, such as the parser of the latch compiler. Vite's list omits them.
 */
const workerPackages = new Set<string>();

/** Returns the package of a module, such as `@lezer/lr`. */
const packageOf = (module: string) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module)?.[1];

/**
 * Records the packages that workers bundle, for thirdPartyNotices: the page must bundle each of
 * them, too.
 */
export function packagesOfWorkers(): Plugin {
  return {
    name: 'latchscope:packages-of-workers',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle))
        if (chunk.type === 'chunk')
          for (const name of chunk.moduleIds.map(packageOf)) if (name !== undefined) workerPackages.add(name);
    },
  };
}

function noticesOf(root: string, packages: readonly BundledPackage[]): string {
  const read = (...parts: string[]) => readFileSync(path.join(root, ...parts), 'utf8').trim();
  const notices: Notice[] = [
    { title: 'Latchscope (Apache-2.0)', text: read('LICENSE') },
    ...engineParts.map(({ title, file }) => ({
      title,
      text: read('wasm-engine/third_party/notices', file),
    })),
    { title: 'Vite (MIT)', text: vitesOwnLicense(read('node_modules/vite/LICENSE.md')) },
    { title: 'Rolldown (MIT)', text: read('node_modules/rolldown/LICENSE') },
    { title: 'Inter, the font (OFL-1.1)', text: read('node_modules/@fontsource-variable/inter/LICENSE') },
    ...packages.map(noticeOf),
  ];
  return notices
    .map(({ title, text }) => `${'='.repeat(80)}\n${title}\n${'='.repeat(80)}\n\n${text}\n`)
    .join('\n');
}

function noticeOf({ name, version, identifier, text }: BundledPackage): Notice {
  if (text === undefined) throw new Error(`${name} ${version} is bundled but has no license file`);
  return { title: `${name} ${version}${identifier === undefined ? '' : ` (${identifier})`}`, text };
}

/** The page contains a few lines of Vite itself, and none of the code that Vite bundles. */
const vitesOwnLicense = (text: string) => text.split(/^# /m)[1]!.split('\n').slice(1).join('\n').trim();
