// What a link says of the lab: the latch that it shows, and what the reader has made of it, so that no server is needed to pass it on:
//   #v=1&view=lab&scenario=fil-mutex-69276&lab.latch=mcs
//   #v=1&view=lab&scenario=fil-mutex-69276&lab.source=word%20locked%3B…
import type { Parsed } from '../../contract/run-spec';
import type { LinkPair, ParsedLink } from '../../session/feature';

const [LATCH, SOURCE] = ['lab.latch', 'lab.source'];
export const LAB_FIELDS = [LATCH, SOURCE];
export const isLabField = (key: string) => LAB_FIELDS.includes(key);

/** As lab/latches/ names them. */
const LATCH_NAME = /^([a-z]+\/)?[a-z0-9-]{1,60}$/;
/** Longer ones do not fit into a link, encoded. */
export const LINKED_CHARACTERS_MAX = 24_000;

export interface LinkedLab {
  latch: string;
  source: string | null;
}

export function labPairs({ latch, source }: LinkedLab): LinkPair[] {
  const encoded = source === null ? null : encodeURIComponent(source);
  const has_source = encoded !== null && encoded.length <= LINKED_CHARACTERS_MAX;
  return [[LATCH, latch], ...(has_source ? [[SOURCE, encoded] satisfies LinkPair] : [])];
}

export function parseLab({ pairs }: ParsedLink): Parsed<{ linked_lab?: Partial<LinkedLab> }> {
  const said = new Map(pairs);
  const [latch, source] = [said.get(LATCH), said.get(SOURCE)];
  if (latch === undefined && source === undefined) return { ok: true, value: {} };
  if (latch !== undefined && !LATCH_NAME.test(latch)) {
    const allowed = 'the name of a latch of lab/latches/, such as mcs or wrong/abba';
    return { ok: false, errors: [{ field: LATCH, value: latch, allowed }] };
  }
  return {
    ok: true,
    value: { linked_lab: { ...(latch === undefined ? {} : { latch }), source: source ?? null } },
  };
}
