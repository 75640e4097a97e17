// Defines a scenario's stage.json: what the stage says about a bug, its two steps, and the run that
// is recorded.
import * as z from 'zod/mini';

import { partOfARunSpec } from '../run-spec-fields.ts';
import {
  choice,
  documentOf,
  identifier,
  integer,
  listOf,
  numberAbove,
  strictObject,
  text,
} from '../schema-parts.ts';

export const stage_steps = ['break', 'fixed', 'original'] as const;
export const stage_figures = ['rate', 'standstill_s', 'recovery_s'] as const;

const actions = (in_words: string) =>
  listOf(identifier(), 'actions', { min: 1, max: 4 }).check(z.describe(in_words));

const step_number = () => integer({ min: 0, max: 8 });

const shown_number = strictObject({
  title: text({ min: 3, max: 48 }).check(z.describe('its unit and condition')),
  after: step_number().check(z.describe('the step of the course that begins its phase; 0 is the start')),
  figure: choice(stage_figures).check(
    z.describe(
      '`rate`: transactions per second; `standstill_s`: longest time without one; `recovery_s`: time from the step until the rate is half of the first number again',
    ),
  ),
});

const note = strictObject({
  after: step_number().check(z.describe('the step of the course from which it applies; 0 is the start')),
  text: text({ min: 10, max: 200 }),
});

export const stage_schema = documentOf(1, {
  headline: text({ min: 10, max: 90 }).check(
    z.describe('one sentence; {1} to {3} are replaced by the numbers, {2x} and {3x} by their factors'),
  ),
  sentence: text({ min: 20, max: 180 }).check(z.describe('why, in one sentence')),
  rate: text({ min: 3, max: 24 }).check(z.describe('unit of the rate of transactions')),
  numbers: listOf(shown_number, 'numbers', { min: 3, max: 3 }).check(z.describe('before, broken and fixed')),
  notes: listOf(note, 'notes', { min: 1, max: 6 }).check(z.describe('what to look at in each phase')),
  spec: partOfARunSpec('design', 'interval_s').check(
    z.describe('a run spec without version, scenario, platform and duration'),
  ),
  break: strictObject({
    title: text({ min: 3, max: 32 }).check(z.describe('label of the button')),
    again: z.exactOptional(text({ min: 3, max: 32 }).check(z.describe('its label once it was pressed'))),
    actions: z.exactOptional(
      actions('actions of the manifest; without any, the step is the original design'),
    ),
    actions_again: z.exactOptional(
      actions('the actions once it was pressed; without any, it is pressed once'),
    ),
  }),
  pace: numberAbove(0).check(z.describe('virtual seconds that the stage plays per second')),
  course: strictObject({
    duration_s: numberAbove(0),
    steps: listOf(strictObject({ at_s: numberAbove(0), step: choice(stage_steps) }), 'steps', {
      min: 2,
      max: 8,
    }),
  }).check(z.describe('the recorded run: its length, and its steps in order')),
}).check(z.describe('The stage of a bug. Its run is recorded by `npm run evidence -- stage --update`.'));

export type StageStory = z.infer<typeof stage_schema>;
export type StageStep = (typeof stage_steps)[number];
export type StageFigure = (typeof stage_figures)[number];
