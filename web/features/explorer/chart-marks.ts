import type { ChartMark } from '../../charts/chart';
import type { RunMark } from '../../recording/run-marks';
import { describeMark, markLabel } from '../../session/log';

/** Converts the marks of a run for the charts. */
export const chartMarks = (marks: readonly RunMark[]): ChartMark[] =>
  marks.map((mark) => ({
    tS: mark.run_ns / 1e9,
    kind: mark.kind,
    label: markLabel(mark),
    text: describeMark(mark).text,
  }));
