import { afterEach, expect, test, vi } from 'vitest';

import { loadModule } from './load-module';

const ADDRESS = 'https://host.test/page/assets/engine-1a2b.wasm';
const emptyModule = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);

interface Hooks {
  onAbort: (reason: unknown) => void;
}

/** Behaves like Emscripten: aborts first, then rejects its promise. */
const aborting = (reason: string) => (hooks: object) => {
  (hooks as Hooks).onAbort(reason);
  return Promise.reject(new Error(`Aborted(${reason})`));
};

function hostAnswers(answer: () => Promise<Response>): void {
  vi.stubGlobal('fetch', answer);
}
afterEach(() => {
  vi.unstubAllGlobals();
});

test.each<[string, () => Promise<Response>]>([
  ['not there', () => Promise.resolve(new Response('', { status: 404 }))],
  ['out of reach', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['cut short', () => Promise.resolve(new Response(emptyModule.slice(0, 5)))],
  ['the page instead', () => Promise.resolve(new Response('<!doctype html>'))],
])('an engine whose file is %s names the file', async (_, answer) => {
  hostAnswers(answer);
  const onAbort = vi.fn();
  const loading = loadModule({ createEngine: aborting('CompileError: …'), address: ADDRESS, onAbort });
  await expect(loading).rejects.toThrow(/^assets\/engine-1a2b\.wasm is missing or damaged$/);
  expect(onAbort).not.toHaveBeenCalled();
});

test('an engine whose file is whole says why it aborted', async () => {
  hostAnswers(() => Promise.resolve(new Response(emptyModule)));
  const loading = loadModule({ createEngine: aborting('out of memory'), address: ADDRESS, onAbort: vi.fn() });
  await expect(loading).rejects.toThrow(/^aborted: out of memory$/);
});

test('an engine that aborts once it is loaded reports it', async () => {
  const onAbort = vi.fn();
  let abort: Hooks['onAbort'] = () => undefined;
  const createEngine = (hooks: object) => {
    abort = (hooks as Hooks).onAbort;
    return Promise.resolve('module');
  };
  expect(await loadModule({ createEngine, address: ADDRESS, onAbort })).toBe('module');
  abort('assertion');
  expect(onAbort).toHaveBeenCalledExactlyOnceWith('assertion');
});
