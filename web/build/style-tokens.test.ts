// Checks that style sheets take their look from web/widgets/styles/tokens.css.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, test } from 'vitest';

const folder = path.join(import.meta.dirname, '..');
const TOKENS = 'widgets/styles/tokens.css';

const styleSheets = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter(
  (file) => file.endsWith('.css') && file !== TOKENS,
);
const withoutComments = (file: string) =>
  readFileSync(path.join(folder, file), 'utf8').replaceAll(/\/\*[^]*?\*\//g, '');

interface Declaration {
  file: string;
  property: string;
  value: string;
}

const declarationsIn = (file: string): Declaration[] =>
  [...withoutComments(file).matchAll(/(?<=[{;]\s*)([\w-]+):\s*([^;{}]+)(?=;)/g)].map(
    ([, property, value]) => ({ file, property: property!, value: value!.trim() }),
  );

const declarations = styleSheets.flatMap(declarationsIn);

const inWords = ({ file, property, value }: Declaration) => `${file}: ${property}: ${value}`;
const faults = (properties: RegExp, isFault: (value: string) => boolean) =>
  declarations.filter(({ property, value }) => properties.test(property) && isFault(value)).map(inWords);

const COLOR =
  /#[\da-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch|color|light-dark)a?\(|\b(?:black|white)\b/i;
const LENGTH = /\d(?:rem|px)\b/;

describe('style sheets', () => {
  test('are read', () => {
    expect(styleSheets.length).toBeGreaterThan(20);
    expect(declarations.length).toBeGreaterThan(1000);
  });

  test('take colors from tokens', () => {
    expect(faults(/./, (value) => COLOR.test(value))).toEqual([]);
  });

  test('take sizes of text from tokens', () => {
    const isToken = (value: string) => value === 'inherit' || value.includes('var(--text-');
    expect(faults(/^font(-size)?$/, (value) => !isToken(value))).toEqual([]);
    expect(faults(/^--\w+-size$/, (value) => LENGTH.test(value))).toEqual([]);
  });

  test('take spaces and radii from tokens', () => {
    expect(faults(/^border(-\w+)*-radius$/, (value) => LENGTH.test(value))).toEqual([]);
    expect(faults(/^(padding|margin)(-|$)|^((row|column)-)?gap$/, (value) => /\drem\b/.test(value))).toEqual(
      [],
    );
  });

  test('use tokens that exist', () => {
    const declared = new Set(
      [TOKENS, ...styleSheets].flatMap((file) => withoutComments(file).match(/--[\w-]+(?=:)/g) ?? []),
    );
    const looks = /var\((--(?:text|space|radius|plot)-?[\w-]*)/g;
    const used = declarations.flatMap((one) =>
      [...one.value.matchAll(looks)].map(([, name]) => ({ one, name })),
    );
    expect(used.filter(({ name }) => !declared.has(name!)).map(({ one }) => inWords(one))).toEqual([]);
  });
});

test('no text of the page is smaller than 13 px', () => {
  const [, small] = /--text-small: ([^;]+);/.exec(withoutComments(TOKENS)) ?? [];
  const [, code] = /--text-code: ([^;]+);/.exec(withoutComments(TOKENS)) ?? [];
  expect([small, code]).toEqual([
    expect.stringMatching(/^max\(13px, /),
    expect.stringMatching(/^max\(13px, /),
  ]);
});
