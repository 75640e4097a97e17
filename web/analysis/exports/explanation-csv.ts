// Writes all parts of an explanation as CSV (RFC 4180) with a header line. Each part is a row,
// followed by the rows of the chain behind it. Rows of depth 0 add up to the latency, and rows
// behind a part add up to that part.
import { csvFormatRows } from 'd3-dsv';

import type { Explanation, ExplainedPart } from '../../contract/explanation';

export const explanationColumns = [
  'depth',
  'thread',
  'state',
  'from_ps',
  'ps',
  'latch',
  'site',
  'function',
  'behind',
  'behind_thread',
  'behind_latch',
  'behind_site',
  'cut',
] as const;

export function explanationCsv({ transaction }: Pick<Explanation, 'transaction'>): string {
  const rows: string[][] = [[...explanationColumns]];
  addRows(transaction.parts, { depth: 0, thread: transaction.thread }, rows);
  return `${csvFormatRows(rows)}\n`;
}

interface Doer {
  depth: number;
  thread: string;
}

function addRows(parts: readonly ExplainedPart[], doer: Doer, rows: string[][]): void {
  for (const part of parts) {
    rows.push(rowOf(part, doer));
    const { holder, chain } = part;
    if (holder !== undefined && chain !== undefined)
      addRows(chain, { depth: doer.depth + 1, thread: holder.thread }, rows);
  }
}

function rowOf(part: ExplainedPart, { depth, thread }: Doer): string[] {
  const { state, from_ps, ps, latch, site, function: name, behind, holder, cut } = part;
  const behindIt = [behind, holder?.thread, holder?.latch, holder?.site];
  return [depth, thread, state, from_ps, ps, latch, site, name, ...behindIt, cut].map((value) =>
    String(value ?? ''),
  );
}
