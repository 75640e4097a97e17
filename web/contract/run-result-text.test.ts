import { describe, expect, test } from 'vitest';

import { FILE_BYTES_MAX } from './run-result-limits.ts';
import { readFileText } from './run-result-text.ts';

const fileOf = (...bytes: number[]) => new File([new Uint8Array(bytes)], 'a.json');
const textFile = (text: string) => new File([text], 'a.json');

test('text is read as it stands in the file, to the byte', async () => {
  for (const text of ['{"a": "ä🔒"}\r\n', '\uFEFF{}', '']) {
    expect(await readFileText(textFile(text))).toEqual({ ok: true, value: text });
  }
});

describe('input that is not text is named in plain words', () => {
  test.each<[string, File, string]>([
    ['gzip', fileOf(0x1f, 0x8b, 8, 0), 'compressed with gzip'],
    ['zstd', fileOf(0x28, 0xb5, 0x2f, 0xfd), 'compressed with zstd'],
    ['zip', fileOf(0x50, 0x4b, 3, 4), 'a zip archive'],
    ['UTF-16, little endian', fileOf(0xff, 0xfe, 0x7b, 0), 'text in UTF-16, not in UTF-8'],
    ['UTF-16, big endian', fileOf(0xfe, 0xff, 0, 0x7b), 'text in UTF-16, not in UTF-8'],
    ['binary', fileOf(0x7b, 0, 1), 'not text: it contains zero bytes'],
    ['Latin-1', fileOf(0x7b, 0xe4, 0x7d), 'not text in UTF-8'],
  ])('%s', async (_, file, value) => {
    const errors = [{ field: 'file', value, allowed: expect.stringContaining('a run result') as string }];
    expect(await readFileText(file)).toEqual({ ok: false, errors });
  });

  test('a folder', async () => {
    const folder = {
      name: 'runs',
      size: 4096,
      arrayBuffer: () => Promise.reject(new Error('NotFoundError')),
    };
    expect(await readFileText(folder)).toMatchObject({
      errors: [{ field: 'file', value: 'a folder, or deleted' }],
    });
  });
});

test('a file that is too large is not read', async () => {
  const file = {
    name: 'x',
    size: FILE_BYTES_MAX + 1,
    arrayBuffer: () => Promise.reject(new Error('was read')),
  };
  expect(await readFileText(file)).toEqual({
    ok: false,
    errors: [{ field: 'file', value: '32.0 MiB', allowed: 'up to 32 MiB' }],
  });
});
