import { describe, expect, test } from 'vitest';

import type { Mark } from '../engine-client/snapshot';
import { axesKey, designsInWords } from './previous-run';
import { defaultRunSpec } from '../contract/run-spec';
import { machine, undo_read } from '../contract/test-fixtures';

const { manifest } = undo_read;
const spec = { ...defaultRunSpec(manifest, machine), design: manifest.designs.original! };

function turned(knob: number, variant: string): Mark {
  const value = manifest.knobs[knob]!.variants.findIndex(({ id }) => id === variant);
  return {
    kind: 'knob',
    subject: knob,
    value,
    run_ns: 1e9,
    stopped_us: 0,
    step_ns: 0,
    is_by_hand: false,
    number: 0,
  };
}

describe('the design of a previous run', () => {
  test('is that of the whole run', () => {
    expect(designsInWords(spec, [], manifest)).toBe('original');
  });

  test('or the first and the last one', () => {
    const marks = manifest.knobs.map(({ id }, knob) => turned(knob, manifest.designs.fixed![id]!));
    expect(designsInWords(spec, marks, manifest)).toBe('original → fixed');
  });

  test('that is no preset is told by its variants', () => {
    const [first, second] = manifest.knobs.map(({ variants }) => variants);
    const of_its_own = first!.flatMap((a) => second!.map((b) => [a.id, b.id] as const));
    const known = Object.values(manifest.designs).map((design) =>
      manifest.knobs.map(({ id }) => design[id]).join(),
    );
    const variants = of_its_own.find((pair) => !known.includes(pair.join()))!;
    const design = Object.fromEntries(manifest.knobs.map(({ id }, knob) => [id, variants[knob]!]));
    expect(designsInWords({ ...spec, design }, [], manifest)).toBe(variants.join(' + '));
  });
});

test('runs on another platform have other axes', () => {
  expect(axesKey(spec)).toBe('undo-read-117533 on threads');
  expect(axesKey({ ...spec, platform: 'virtual' })).not.toBe(axesKey(spec));
});
