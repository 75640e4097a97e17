// The fields of a run spec, as far as they are the same for every scenario. run-spec-rules.ts adds what a manifest says; files of
// scenarios/ that hold parts of run specs are made of the same fields.
import * as z from 'zod/mini';

import { engine_limits } from './engine-limits.ts';
import { all_platforms } from './platforms.ts';
import {
  anInteger,
  choice,
  hyphenated,
  identifier,
  integer,
  listOf,
  number,
  recordOf,
  strictObject,
} from './schema-parts.ts';

export const RUN_SPEC_VERSION = 1;
export const { duration_s: DURATION_S, interval_s: INTERVAL_S, seed_max: SEED_MAX } = engine_limits;
/** Of a run spec that names none; wasm-engine/api/run_spec.h has it too. */
export const INTERVAL_DEFAULT_S = 1;
export const ACTIONS_MAX = engine_limits.timed_actions_max;
/** Of a run on any platform. */
export const CLIENTS_MAX = Math.max(...Object.values(engine_limits.clients_max));

export const clients = () => integer({ min: 1, max: CLIENTS_MAX });
export const seed = () => integer({ min: 0, max: SEED_MAX });
export const at_s = () => number({ min: 0, max: DURATION_S.max });
export const duration_s = () =>
  number(DURATION_S, `a number from ${DURATION_S.min} to ${DURATION_S.max}, or nothing: until stopped`);
export const interval_s = () => number(INTERVAL_S);
export const events_max = () => integer({ min: 1, max: engine_limits.events_max });

/** Samples of all threads' stacks: all at one moment, or as a debugger does it, one thread after another. */
export const stack_samples = () =>
  strictObject({
    sampler: choice(['instant', 'stop_the_world']),
    count: integer({ min: 1, max: engine_limits.stack_samples_max }),
    every_s: interval_s(),
  });

export const actionsOf = <Action extends z.core.$ZodType>(action: Action) =>
  listOf(action, 'actions', { max: ACTIONS_MAX });

/** An action or a knob's change at a stated time. */
export const timedAction = (action: z.ZodMiniType<string>) => strictObject({ at_s: at_s(), action });
export const timedTurn = (knob: z.ZodMiniType<string>, variant: z.ZodMiniType<string>) =>
  strictObject({ at_s: at_s(), knob, variant });
export const ACTION_OR_TURN = 'an object with at_s, and either an action, or a knob and a variant';

const timed_action = z.union([timedAction(identifier()), timedTurn(identifier(), identifier())], {
  error: ACTION_OR_TURN,
});
export type TimedAction = z.infer<typeof timed_action>;

/** Which server, and which of its values are the reader's own. */
const own_server = z.catchall(strictObject({ based_on: hyphenated() }), anInteger());

const fields = {
  design: z.union([identifier(), recordOf(identifier(), identifier(), 'knobs and variants')], {
    error: 'a preset, or an object of knobs and variants',
  }),
  platform: choice(all_platforms),
  server: z.union([hyphenated(), own_server], {
    error: 'a server, or an object with based_on and values of its own',
  }),
  events_max: events_max(),
  stack_samples: stack_samples(),
  threads: clients(),
  seed: seed(),
  duration_s: duration_s(),
  interval_s: interval_s(),
  parameters: recordOf(identifier(), anInteger(), 'integers'),
  actions: actionsOf(timed_action),
};
type Fields = typeof fields;

/** What part of a run spec may say, whatever the scenario is; in any case it has the fields that are named. */
export function fieldsOfAPart<Named extends keyof Fields = never>(...named: Named[]) {
  const shape = Object.entries(fields).map(([field, schema]) => [
    field,
    (named as string[]).includes(field) ? schema : z.exactOptional(schema as z.ZodMiniType),
  ]);
  return Object.fromEntries(shape) as {
    [Field in keyof Fields]: Field extends Named ? Fields[Field] : z.ZodMiniExactOptional<Fields[Field]>;
  };
}

export const partOfARunSpec = <Named extends keyof Fields = never>(...named: Named[]) =>
  strictObject(fieldsOfAPart(...named), 'an object with fields of a run spec');
