// Defines the field `workload` of a run spec, as far as the page reads it: what its manifest follows
// from. The engine checks the whole program.
import * as z from 'zod/mini';

import {
  choice,
  integer,
  integerInWords,
  listOf,
  openObject,
  recordOf,
  strictObject,
  text,
  truth,
} from './schema-parts.ts';
import { script_latch_kinds, script_limits } from './workload-operations.ts';
import type { Workload } from './workload-program.ts';

const most = script_limits;
const UINT_MAX = 0xffff_ffff;

const titleText = () => text({ max: most.title_length_max });
const unique = (of: string) =>
  z.refine<{ id: string }[]>((items) => new Set(items.map(({ id }) => id)).size === items.length, {
    error: `${of} with different ids`,
  });

const name = () => text({ min: 1, max: most.name_length_max });
const value = () => integer({ min: 0, max: most.constant_max });

const kind = () =>
  openObject({
    kind: choice(script_latch_kinds.map((known) => known.name)),
    size: z.exactOptional(integer({ min: 1, max: most.kind_size_max })),
    program: z.exactOptional(integer({ min: 0, max: most.kinds_max - 1 })),
  });

type KindField = z.infer<ReturnType<typeof kind>>;

/** A latch in the lab's language; the engine checks its program. */
const latchProgram = () =>
  openObject({
    name: text({ min: 1, max: most.name_length_max }),
    program: recordOf(z.string(), z.unknown(), 'what `lab compile --json` writes'),
  });

const variant = () =>
  openObject({
    id: name(),
    origin: titleText(),
    kind: z.exactOptional(kind()),
    value: z.exactOptional(integer({ min: 0, max: UINT_MAX })),
  });

const knob = () =>
  openObject({
    id: name(),
    question: titleText(),
    variants: listOf(variant(), 'variants', { min: 2, max: most.variants_max }).check(unique('variants')),
  });

const parameter = () =>
  openObject({
    id: name(),
    title: titleText(),
    unit: text({ max: most.name_length_max }),
    scale: value(),
    min: value(),
    max: value(),
    default: value(),
  }).check((context) => {
    const { min, max, default: usual } = context.value;
    if (min <= usual && usual <= max) return;
    context.issues.push({
      code: 'custom',
      input: usual,
      path: ['default'],
      message: `from min to max, ${min} to ${max}`,
    });
  });

const design = () =>
  openObject({ id: name(), variants: listOf(integer({ min: 0, max: UINT_MAX }), 'numbers') });

const latch = () =>
  openObject({
    name: name(),
    elements: integer({ min: 1, max: most.elements_max }),
    kind: z.exactOptional(kind()),
    knob: z.exactOptional(integer({ min: 0, max: most.knobs_max - 1 })),
    source_line: integer({ min: 0, max: UINT_MAX }),
  });

const group = () =>
  openObject({
    name: name(),
    threads: integer({ min: 1, max: most.threads_max }),
    has_transaction: truth(),
    runs: z.exactOptional(choice(['every', 'once', 'on_action', 'at_end'] as const)),
    period: z.exactOptional(integer({ min: most.period_min, max: most.period_max })),
    title: z.exactOptional(titleText()),
  }).check((context) => {
    const { runs, threads, has_transaction, period, title } = context.value;
    const refuse = (path: PropertyKey[], input: unknown, message: string) =>
      context.issues.push({ code: 'custom', input, path, message });
    if ((runs === 'every') !== (period !== undefined))
      refuse(['period'], period, runs === 'every' ? PERIOD : 'omitted: only if runs is every');
    if ((runs === 'on_action') !== (title !== undefined))
      refuse(['title'], title, runs === 'on_action' ? 'a text' : 'omitted: only if runs is on_action');
    if ((runs === 'on_action' || runs === 'at_end') && threads !== 1) refuse(['threads'], threads, '1');
    if (runs !== undefined && has_transaction)
      refuse(['has_transaction'], has_transaction, 'false: only threads without runs have it');
  });

const PERIOD = integerInWords(most.period_min, most.period_max);

const hold = () => openObject({ latch: value(), site: value() });

const program_schema = openObject({
  title: text({ min: 1, max: most.title_length_max }),
  unit: text({ min: 1, max: most.title_length_max }),
  parameters: listOf(parameter(), 'parameters', { max: most.parameters_max }).check(unique('parameters')),
  knobs: listOf(knob(), 'knobs', { max: most.knobs_max }).check(unique('knobs')),
  designs: listOf(design(), 'designs', { min: 1, max: most.designs_max }).check(unique('designs')),
  latches: listOf(latch(), 'latches', { max: most.latches_max }),
  kinds: z.exactOptional(listOf(latchProgram(), 'kinds', { max: most.kinds_max })),
  counters: z.exactOptional(
    listOf(name(), 'counters', { max: most.counters_max }).check(
      z.refine((names) => new Set(names).size === names.length, { error: 'counters with different names' }),
    ),
  ),
  groups: listOf(group(), 'groups', { min: 1, max: most.groups_max }),
  names: listOf(name(), 'names', { max: most.names_max }),
  holds: listOf(hold(), 'holds', { max: most.holds_max }),
}).check((context) => {
  const { knobs, designs, groups, names, latches, holds, kinds = [] } = context.value;
  const refuse = (path: PropertyKey[], input: unknown, message: string) =>
    context.issues.push({ code: 'custom', input, path, message });
  const [first] = designs;
  if (first?.id !== 'original') refuse(['designs', 0, 'id'], first?.id, 'original');
  for (const [place, { variants }] of designs.entries()) {
    if (variants.length !== knobs.length)
      refuse(
        ['designs', place, 'variants'],
        variants,
        `a list of ${knobs.length} numbers, one for each knob`,
      );
    for (const [at, chosen] of variants.entries()) {
      const count = knobs[at]?.variants.length ?? Infinity;
      if (chosen >= count)
        refuse(['designs', place, 'variants', at], chosen, `below ${count}, the number of variants`);
    }
  }
  if (groups.filter(({ runs }) => runs === 'at_end').length > 1)
    refuse(['groups'], groups, 'groups of which at most one runs at_end');
  if (groups.filter(({ has_transaction }) => has_transaction).length !== 1)
    refuse(['groups'], groups, 'groups of which one has the transaction');
  const checkKind = (path: PropertyKey[], of: KindField | undefined) => {
    if (
      of === undefined ||
      (of.kind === 'lab_latch' ? (of.program ?? Infinity) < kinds.length : of.program === undefined)
    )
      return;
    const allowed =
      of.kind === 'lab_latch'
        ? `below ${kinds.length}, the number of kinds`
        : 'omitted: only of kind lab_latch';
    refuse([...path, 'kind', 'program'], of.program, allowed);
  };
  for (const [place, { kind: of }] of latches.entries()) checkKind(['latches', place], of);
  for (const [place, { variants }] of knobs.entries())
    for (const [at, { kind: of }] of variants.entries()) checkKind(['knobs', place, 'variants', at], of);
  for (const [place, { latch: of, site }] of holds.entries()) {
    if (of >= latches.length)
      refuse(['holds', place, 'latch'], of, `below ${latches.length}, the number of latches`);
    if (site >= names.length)
      refuse(['holds', place, 'site'], site, `below ${names.length}, the number of names`);
  }
});

/** The field as it is given: its program stays the same object, so that its manifest is kept. */
export const workloadField = () =>
  strictObject({
    source: z.exactOptional(z.string({ error: 'a text' })),
    program: z.unknown().check((context) => {
      const { error } = program_schema.safeParse(context.value);
      for (const { path, message } of error?.issues ?? [])
        context.issues.push({ code: 'custom', input: context.value, path, message });
    }),
  }) as unknown as z.ZodMiniType<Workload>;
