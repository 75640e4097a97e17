// Defines the fields of a run spec that are the same for all scenarios. run-spec-rules.ts adds the
// rules of a manifest. Files of scenarios/ with parts of run specs use the same fields.
import * as z from 'zod/mini';

import { engine_latches } from './engine-latches.ts';
import { engine_limits } from './engine-limits.ts';
import { all_platforms } from './platforms.ts';
import {
  anInteger,
  choice,
  exactly,
  hyphenated,
  identifier,
  integer,
  listOf,
  number,
  oneOf,
  recordOf,
  strictObject,
} from './schema-parts.ts';

export const RUN_SPEC_VERSION = 1;
export const { duration_s: DURATION_S, interval_s: INTERVAL_S, seed_max: SEED_MAX } = engine_limits;
/** Default interval; also in wasm-engine/run/run_spec.h. */
export const INTERVAL_DEFAULT_S = 1;
export const ACTIONS_MAX = engine_limits.timed_actions_max;
/** Maximum number of clients on any platform. */
export const CLIENTS_MAX = Math.max(...Object.values(engine_limits.clients_max));

export const clients = () => integer({ min: 1, max: CLIENTS_MAX });
export const seed = () => integer({ min: 0, max: SEED_MAX });
export const at_s = () => number({ min: 0, max: DURATION_S.max });
export const duration_s = () =>
  number(DURATION_S, `a number from ${DURATION_S.min} to ${DURATION_S.max}, or null: until stopped`);
export const interval_s = () => number(INTERVAL_S);
export const events_max = () => integer({ min: 1, max: engine_limits.events_max });

/**
 * Stack samples of all threads: all at one moment, or one thread after another as a debugger takes
 * them.
 */
export const stack_samples = () =>
  strictObject({
    sampler: choice(['instant', 'stop_the_world']),
    count: integer({ min: 1, max: engine_limits.stack_samples_max }),
    every_s: interval_s(),
  });

/** Latches by name, each with the functions or sections that take it. */
export type LatchSites = Readonly<Record<string, readonly string[]>>;

export const percent = () => integer({ min: 0, max: engine_limits.what_if_percent_max });

/**
 * A latch with different critical sections, or with a different hand-off. Only critical sections
 * can be restricted to a site: the cache line and the hand-off belong to the whole latch.
 */
const latchWhatIf = (known: LatchSites) =>
  strictObject({
    latch: choice(Object.keys(known)),
    site: z.exactOptional(z.string({ error: 'a function that acquires the latch' })),
    section_percent: z.exactOptional(percent()),
    hand_over: z.exactOptional(exactly('free')),
    line: z.exactOptional(exactly('still')),
    wake_up: z.exactOptional(exactly('free')),
  }).check((context) => {
    const { latch, site, hand_over, line, wake_up } = context.value;
    if (site === undefined) return;
    const is_of_the_latch = (hand_over ?? line ?? wake_up) !== undefined;
    if (!is_of_the_latch && known[latch]!.includes(site)) return;
    const message = is_of_the_latch ? NO_SITE : oneOf(known[latch]!);
    context.issues.push({ code: 'custom', input: site, path: ['site'], message });
  });
const NO_SITE = 'no site with hand_over, line or wake_up, which apply to the whole latch';

/** `costs`: percents by name of the cost. `known`: the existing latches and their sites. */
export const whatIf = <Costs extends z.ZodMiniType<Record<string, number>>>(
  costs: Costs,
  known: LatchSites = engine_latches,
) =>
  strictObject({
    costs: z.exactOptional(costs),
    latches: z.exactOptional(
      listOf(latchWhatIf(known), 'latches', { max: engine_limits.what_if_latches_max }),
    ),
    // Run time from which it applies; default: the whole run.
    from_s: z.exactOptional(at_s()),
  }).check((context) => {
    const { costs: of_costs = {}, latches: of_latches = [] } = context.value as {
      costs?: object;
      latches?: unknown[];
    };
    // Faults of its parts are already reported.
    if (context.issues.length > 0 || Object.keys(of_costs).length + of_latches.length > 0) return;
    context.issues.push({
      code: 'custom',
      input: context.value,
      path: [],
      message: 'at least one cost or latch',
    });
  });

/**
 * The reader's own compiled latch (docs/reference/latch-language.md). The engine checks the
 * program; the source is for people.
 */
export const readersLatch = () =>
  strictObject({
    source: z.exactOptional(z.string({ error: 'a text' })),
    program: recordOf(z.string(), z.unknown(), 'what `lab compile --json` writes'),
  });

export const actionsOf = <Action extends z.core.$ZodType>(action: Action) =>
  listOf(action, 'actions', { max: ACTIONS_MAX });

/** An action or a change of a knob at a given time. */
export const timedAction = (action: z.ZodMiniType<string>) => strictObject({ at_s: at_s(), action });
export const timedTurn = (knob: z.ZodMiniType<string>, variant: z.ZodMiniType<string>) =>
  strictObject({ at_s: at_s(), knob, variant });
export const ACTION_OR_TURN = 'an object with at_s, and either an action, or a knob and a variant';

const timed_action = z.union([timedAction(identifier()), timedTurn(identifier(), identifier())], {
  error: ACTION_OR_TURN,
});
export type TimedAction = z.infer<typeof timed_action>;

/** A named server, and the reader's own values that replace some of its values. */
// TypeScript cannot declare the inferred type: based_on is no integer.
const own_server = z.catchall(
  strictObject({ based_on: hyphenated() }),
  anInteger(),
) as unknown as z.ZodMiniType<{ based_on: string } & Record<string, number | string>>;

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
  what_if: whatIf(recordOf(identifier(), percent(), 'costs and percents')),
  latch: readersLatch(),
  threads: clients(),
  seed: seed(),
  duration_s: duration_s(),
  interval_s: interval_s(),
  parameters: recordOf(identifier(), anInteger(), 'integers'),
  actions: actionsOf(timed_action),
};
type Fields = typeof fields;

/** Returns the fields of part of a run spec, for any scenario. `named` fields are required. */
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
