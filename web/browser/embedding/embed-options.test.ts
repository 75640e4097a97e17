import { describe, expect, test } from 'vitest';

import { formatEmbedFragment, parseEmbedFragment, parseEmbedOptions } from './embed-options';
import { embedMessageIn } from './messages';

const defaults = { bug: '117533', design: 'original', isAutoplay: false, heightPx: null, theme: 'system' };

describe('the options of an embedded run', () => {
  test('need a bug, and have defaults for everything else', () => {
    expect(parseEmbedOptions([['bug', '117533']])).toEqual({ ok: true, value: defaults });
    expect(parseEmbedFragment('')).toEqual({
      ok: false,
      errors: [{ field: 'bug', value: '', allowed: 'the number of a bug' }],
    });
  });

  test('take every attribute, whose presence alone means autoplay', () => {
    const value = { bug: '69276', design: 'fixed', isAutoplay: true, heightPx: 600, theme: 'dark' };
    expect(
      parseEmbedOptions([
        ['bug', '69276'],
        ['design', 'fixed'],
        ['autoplay', ''],
        ['height', '600'],
        ['theme', 'dark'],
      ]),
    ).toEqual({ ok: true, value });
  });

  test.each([
    ['bug', '#117533'],
    ['design', 'newest'],
    ['autoplay', 'false'],
    ['height', '100'],
    ['height', '4000'],
    ['height', '60%'],
    ['theme', 'sepia'],
  ])('refuse %s=%s by field and value', (field, value) => {
    const pairs = [...(field === 'bug' ? [] : [['bug', '117533'] as const]), [field, value] as const];
    const parsed = parseEmbedOptions(pairs);
    expect(parsed).toMatchObject({ ok: false, errors: [{ field, value }] });
  });

  test('refuse unknown and repeated fields', () => {
    expect(parseEmbedFragment('#bug=117533&speed=2')).toMatchObject({
      errors: [{ field: 'speed', value: '2', allowed: 'only bug, design, autoplay, height, theme' }],
    });
    expect(parseEmbedFragment('#bug=117533&bug=69276')).toMatchObject({
      errors: [{ field: 'bug', value: '69276', allowed: 'each field once' }],
    });
  });

  test('survive the way through the frame’s address', () => {
    for (const fragment of ['#bug=117533', '#bug=69276&design=fixed&autoplay=1&height=500&theme=light']) {
      const parsed = parseEmbedFragment(fragment);
      expect(parsed.ok && parseEmbedFragment(formatEmbedFragment(parsed.value))).toEqual(parsed);
    }
  });
});

test('only complete messages of an embedded run count', () => {
  const size = { kind: 'latchscope:size', heightPx: 480 };
  const open = { kind: 'latchscope:open', href: 'https://example.org/#v=1' };
  expect(embedMessageIn(size)).toEqual(size);
  expect(embedMessageIn(open)).toEqual(open);
  for (const other of [
    null,
    'size',
    {},
    { ...size, heightPx: NaN },
    { ...size, heightPx: '9' },
    { ...open, href: 1 },
  ])
    expect(embedMessageIn(other)).toBeNull();
});
