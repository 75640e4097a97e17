// Formats and parses the editor's fields of a link: the template, or the reader's source. They are
// a link by themselves, and a link contains the whole source, so that sharing needs no server:
//    #v=1&view=workload&workload.template=one-mutex
//    #workload.source=workload%20%22…
import type { Parsed } from '../../contract/run-spec';
import { linkedSource } from '../../contract/run-spec-pairs';
import { oneOf } from '../../contract/schema-parts';
import type { LinkPair, ParsedLink } from '../../session/feature';
import { linkedIds } from './template-ids';
import type { WorkloadText } from './workload-state';

const [TEMPLATE, SOURCE] = ['workload.template', 'workload.source'];
export const workloadFields = [TEMPLATE, SOURCE];
export const isWorkloadField = (key: string) => workloadFields.includes(key);

/** Returns a link to the editor, with a template. */
export const templateLink = (template: string) => `#v=1&view=workload&${TEMPLATE}=${template}`;

export interface LinkedWorkload {
  linkedWorkload?: Partial<WorkloadText>;
}

/** `run` is the source of the next run, which the link has already. */
export function workloadPairs({ template, source }: WorkloadText, run?: string): LinkPair[] {
  if (source !== null && source === run) return [];
  const encoded = linkedSource(source);
  return encoded === null ? [[TEMPLATE, template]] : [[SOURCE, encoded]];
}

/** A link to the run of a workload opens its source in the editor. */
export function parseWorkload({ pairs, spec }: Pick<ParsedLink, 'pairs' | 'spec'>): Parsed<LinkedWorkload> {
  const said = new Map(pairs.filter(([key]) => isWorkloadField(key)));
  const run = spec.workload?.source;
  if (said.size === 0)
    return { ok: true, value: run === undefined ? {} : { linkedWorkload: { source: run } } };
  const template = said.get(TEMPLATE);
  if (template !== undefined && !linkedIds.includes(template))
    return { ok: false, errors: [{ field: TEMPLATE, value: template, allowed: oneOf(linkedIds) }] };
  const source = said.get(SOURCE) ?? null;
  return { ok: true, value: { linkedWorkload: { ...(template !== undefined && { template }), source } } };
}
