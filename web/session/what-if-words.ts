// Describes a run's what-if in words.
import type { WhatIf } from '../contract/run-spec';
import { server_fields } from '../contract/servers';
import type { Field, LatchDraft, WhatIfDraft } from '../contract/draft';

type AnyWhatIf = WhatIf | WhatIfDraft | null | undefined;

/**
 * Returns words such as `fil_system->mutex: critical section 80 %, hand-off free; PAUSE 50 %; from
 * 0.02 s`, or null if nothing differs.
 */
export function whatIfInWords(whatIf: AnyWhatIf): string | null {
  const words = changesInWords(whatIf);
  const fromS = whatIf?.from_s ?? 0;
  return words === null || fromS === 0 ? words : `${words}; from ${rounded(fromS)} s`;
}

/** Returns the same without the start time. */
export function changesInWords(whatIf: AnyWhatIf): string | null {
  const latches = (whatIf?.latches ?? []).flatMap((latch) => {
    const changes = changesOf(latch);
    return changes.length === 0 ? [] : [`${placeOf(latch)}: ${changes.join(', ')}`];
  });
  const costs = Object.entries(whatIf?.costs ?? {}).flatMap(([id, percent]) =>
    percent === 100 ? [] : [`${titleOfCost(id)} ${percent} %`],
  );
  const all = [...latches, ...costs];
  return all.length === 0 ? null : all.join('; ');
}

/** An interactive what-if starts at an arbitrary nanosecond. */
const rounded = (fromS: Field) => (typeof fromS === 'number' ? Number(fromS.toPrecision(6)) : fromS);

const placeOf = ({ latch, site }: LatchDraft) => (site === undefined ? latch : `${latch} in ${site}`);

const changesOf = ({ section_percent = 100, hand_over, line, wake_up }: LatchDraft) => [
  ...(section_percent === 100 ? [] : [`critical section ${section_percent} %`]),
  ...(hand_over === undefined ? [] : ['hand-off free']),
  ...(line === undefined ? [] : ['line stays']),
  ...(wake_up === undefined ? [] : ['wake-up free']),
];

const titleOfCost = (id: string) => server_fields.find((field) => field.id === id)?.title ?? id;
