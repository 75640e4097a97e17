// Defines the field `workload` of a run spec, as far as the page reads it: what its manifest follows
// from. The engine checks the whole program.
import * as z from 'zod/mini';

import { choice, integer, listOf, openObject, strictObject, text, truth } from './schema-parts.ts';
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
  });

const hold = () => openObject({ latch: value(), site: value() });

const program_schema = openObject({
  title: text({ min: 1, max: most.title_length_max }),
  unit: text({ min: 1, max: most.title_length_max }),
  parameters: listOf(parameter(), 'parameters', { max: most.parameters_max }).check(unique('parameters')),
  knobs: listOf(knob(), 'knobs', { max: most.knobs_max }).check(unique('knobs')),
  designs: listOf(design(), 'designs', { min: 1, max: most.designs_max }).check(unique('designs')),
  latches: listOf(latch(), 'latches', { max: most.latches_max }),
  groups: listOf(group(), 'groups', { min: 1, max: most.groups_max }),
  names: listOf(name(), 'names', { max: most.names_max }),
  holds: listOf(hold(), 'holds', { max: most.holds_max }),
}).check((context) => {
  const { knobs, designs, groups, names, latches, holds } = context.value;
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
  if (groups.filter(({ has_transaction }) => has_transaction).length !== 1)
    refuse(['groups'], groups, 'groups of which one has the transaction');
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
