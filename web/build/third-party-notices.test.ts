import path from 'node:path';

import { build, type Rolldown } from 'vite';
import { afterEach, expect, test, vi } from 'vitest';

import { BUNDLED_PACKAGES_FILE, NOTICES_FILE } from './third-party-notices.ts';

const root = path.join(import.meta.dirname, '../..');

/**
 * Returns the package of a module, such as `@babel/runtime`; null for the project's own modules.
 */
function packageOf(module: string): string | null {
  const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(module) ?? [];
  return name ?? null;
}

afterEach(() => vi.unstubAllEnvs());

const titlesIn = (notices: string) =>
  [...notices.matchAll(/^={80}\n(.+)\n={80}$/gm)].map(([, title]) => title!);

test('the notices name every package that is in the page, and what is compiled into the engine', async () => {
  vi.stubEnv('NODE_ENV', 'production');
  const { output } = (await build({
    configFile: path.join(root, 'vite.config.ts'),
    root: path.join(root, 'web'),
    logLevel: 'silent',
    build: { write: false },
  })) as Rolldown.RolldownOutput;
  const files = Object.fromEntries(output.map((file) => [file.fileName, file]));
  const notices = files[NOTICES_FILE];
  expect(notices?.type).toBe('asset');
  expect(files).not.toHaveProperty(BUNDLED_PACKAGES_FILE);

  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const bundled = new Set(modules.map(packageOf).filter((name) => name !== null));
  expect(bundled).toContain('react-dom');
  const text = String((notices as Rolldown.OutputAsset).source);
  const titles = titlesIn(text);
  for (const name of bundled)
    expect(
      titles.some((title) => title.startsWith(`${name} `)),
      name,
    ).toBe(true);
  for (const name of [
    'nlohmann/json',
    'Emscripten',
    'musl',
    'libc++',
    'dlmalloc',
    'Vite',
    'Rolldown',
    'Inter',
  ])
    expect(titles.join('\n')).toContain(name);
  expect(text).toContain('Copyright (c) 2013-2022 Niels Lohmann');
  expect(text).toContain('Copyright © 2005-2020 Rich Felker');
  expect(text).toContain('Copyright (c) Meta Platforms');
});
