import type { ChartMark } from '../../charts/chart';
import type { RunMark } from '../../recording/run-marks';
import { describeMark, markLabel } from '../../session/log';

/** The marks of a run as the charts draw them. */
export const chartMarks = (marks: readonly RunMark[]): ChartMark[] =>
  marks.map((mark) => ({
    t_s: mark.run_ns / 1e9,
    kind: mark.kind,
    label: markLabel(mark),
    text: describeMark(mark).text,
  }));
