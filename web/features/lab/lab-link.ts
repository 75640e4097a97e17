// Formats and parses the lab's fields of a link: the shown latch or exercise, and the reader's
// source. A link contains the whole source, so that sharing needs no server. These fields are a link
// by themselves; a bug and its settings may come with them:
//    #v=1&view=lab&scenario=fil-mutex-69276&lab.latch=mcs
//    #lab.exercise=05-ticket
//    #v=1&view=lab&scenario=fil-mutex-69276&lab.source=word%20locked%3B…
import { all_exercise_names, all_latch_names } from '../../contract/lab-names';
import { linkedSource } from '../../contract/run-spec-pairs';
import type { Parsed } from '../../contract/run-spec';
import { oneOf } from '../../contract/schema-parts';
import type { LinkPair, ParsedLink } from '../../session/feature';

const [LATCH, EXERCISE, SOURCE] = ['lab.latch', 'lab.exercise', 'lab.source'];
export const labFields = [LATCH, EXERCISE, SOURCE];
export const isLabField = (key: string) => labFields.includes(key);

const names: Record<string, readonly string[]> = {
  [LATCH]: all_latch_names,
  [EXERCISE]: all_exercise_names,
};

export interface LinkedLab {
  latch?: string;
  exercise: string | null;
  source: string | null;
}

export function labPairs({ latch, exercise, source }: Required<LinkedLab>): LinkPair[] {
  const encoded = linkedSource(source);
  const begun: LinkPair[] = exercise === null ? [[LATCH, latch]] : [[EXERCISE, exercise]];
  return encoded === null ? begun : [...begun, [SOURCE, encoded]];
}

export function parseLab({ pairs }: ParsedLink): Parsed<{ linkedLab?: LinkedLab }> {
  const said = new Map(pairs.filter(([key]) => isLabField(key)));
  if (said.size === 0) return { ok: true, value: {} };
  const errors = Object.entries(names).flatMap(([field, names]) => {
    const value = said.get(field);
    return value === undefined || names.includes(value) ? [] : [{ field, value, allowed: oneOf(names) }];
  });
  if (errors.length > 0) return { ok: false, errors };
  const [latch, exercise = null, source = null] = labFields.map((field) => said.get(field));
  return {
    ok: true,
    value: { linkedLab: { ...(latch === undefined ? {} : { latch }), exercise, source } },
  };
}
