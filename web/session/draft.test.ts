import { describe, expect, test } from 'vitest';

import { checkDraft, draftOf, fieldOf } from './draft';
import { presetOf } from '../contract/design';
import { defaultRunSpec } from '../contract/run-spec';
import { fil_mutex, machine, scenarios } from '../contract/test-fixtures';

const spec = defaultRunSpec(fil_mutex.manifest, machine);

test('a draft is a run spec in the making', () => {
  expect(checkDraft(draftOf(spec), scenarios, machine)).toMatchObject({ draftSpec: spec, draftErrors: [] });
});

test('a fault is kept at its field', () => {
  const checked = checkDraft({ ...draftOf(spec), threads: 'many' }, scenarios, machine);
  expect(checked.draftSpec).toBeNull();
  expect(checked.draftErrors).toMatchObject([{ field: 'threads', value: 'many' }]);
});

test('a server of one’s own is checked field by field', () => {
  const virtual = draftOf(defaultRunSpec(fil_mutex.manifest, machine, 'virtual'));
  const server = { based_on: 'xeon-2020', own: { pause_ps: '12x' } };
  const { draftErrors } = checkDraft({ ...virtual, server }, scenarios, machine);
  expect(draftErrors).toMatchObject([{ field: 'server.pause_ps', value: '12x' }]);
  expect(checkDraft(virtual, scenarios, machine).draftSpec?.server).toBe('snb-ep-2013');
});

test('what the page does not show of a run spec is in the next run', () => {
  const stackSamples = { sampler: 'instant' as const, count: 3, every_s: 0.002 };
  const whatIf = { costs: { pause_ps: 50 }, latches: [{ latch: 'fil_system->mutex', section_percent: 20 }] };
  const virtual = defaultRunSpec(fil_mutex.manifest, machine, 'virtual', {
    stack_samples: stackSamples,
    what_if: whatIf,
  });
  expect(checkDraft(draftOf(virtual), scenarios, machine)).toMatchObject({ draftSpec: virtual });
});

test('no duration means until stopped', () => {
  const checked = checkDraft({ ...draftOf(spec), duration_s: '' }, scenarios, machine);
  expect(checked.draftSpec?.duration_s).toBeNull();
});

test.each([
  ['12', 12],
  [' 2.5 ', 2.5],
  ['', ''],
  ['1e3', '1e3'],
  ['x', 'x'],
])('typing %j gives %j', (text, field) => {
  expect(fieldOf(text)).toBe(field);
});

describe('a preset', () => {
  test.each([
    ['global_mutex', 'original'],
    ['atomic_word', 'fixed'],
    ['sharded_mutex', null],
  ])('%s is %s', (tablespaceLookup, preset) => {
    const design = { ...fil_mutex.manifest.designs.original, tablespace_lookup: tablespaceLookup };
    expect(presetOf(fil_mutex.manifest, design)).toBe(preset);
  });
});
