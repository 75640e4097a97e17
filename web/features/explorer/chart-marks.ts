import type { ChartMark } from '../../charts/chart';
import type { Manifest } from '../../contract/manifest';
import type { Mark } from '../../engine-client/snapshot';
import { describeMark, markLabel } from '../../session/log';

/** The marks of a run as the charts draw them. */
export const chartMarks = (marks: readonly Mark[], manifest: Manifest): ChartMark[] =>
  marks.map((mark) => ({
    t_s: mark.run_ns / 1e9,
    kind: mark.kind,
    label: markLabel(mark, manifest),
    text: describeMark(mark, manifest).text,
  }));
