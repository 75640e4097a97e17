// Measures the three numbers of a stage on the rows of a run.
import type { Manifest } from '../../contract/manifest';
import type { StageFigure, StageStory } from '../../contract/scenario-files/stage';
import type { HistoryRows } from '../../recording/history';
import { measuredPhases, type RunPhase } from '../../session/measured-phases';
import type { Course } from '../../session/course';

/** A part of a run, from one step to the next. */
type Part = Pick<RunPhase, 'fromS' | 'toS' | 'tps'>;

/**
 * Returns the values of the story's numbers in a course. Rates follow the rule of all rates of the page
 * (analysis/rate-window.ts). Throws if a phase is too short to measure.
 */
export function measureNumbers(story: StageStory, course: Course, manifest: Manifest): number[] {
  const phases = measuredPhases(course, manifest);
  const values: number[] = [];
  for (const { after, figure } of story.numbers) {
    const part = partAfter(story, after, phases);
    const value = figures[figure](part, course.history, values[0] ?? Number.NaN);
    if (value === null) throw new Error(`${manifest.id}: the phase after step ${after} is too short.`);
    values.push(value);
  }
  return values;
}

/** The engine applies a step shortly after its time. */
function partAfter({ course }: StageStory, step: number, phases: readonly RunPhase[]): Part {
  const atS = step === 0 ? 0 : course.steps[step - 1]!.at_s;
  const late = ({ fromS }: Part) => Math.abs(fromS - atS);
  return phases.reduce((nearest, phase) => (late(phase) < late(nearest) ? phase : nearest));
}

const figures: Record<StageFigure, (part: Part, rows: HistoryRows, firstRate: number) => number | null> = {
  rate: ({ tps }) => tps,
  standstill_s: longestStandstillS,
  recovery_s: recoveryS,
};

/** Returns the longest time without a transaction. */
function longestStandstillS({ fromS, toS }: Part, rows: HistoryRows): number {
  const tS = rows.column('t_s');
  const transactions = rows.column('transactions');
  let longestS = 0;
  let lastChange = 0;
  for (let row = 1; row < rows.length; row += 1) {
    if (transactions[row] === transactions[lastChange]) {
      const seconds = Math.min(toS, tS[row]!) - Math.max(fromS, tS[lastChange]!);
      longestS = Math.max(longestS, seconds);
    } else lastChange = row;
  }
  return longestS;
}

/** Returns the time from the step until the rate stays above half of the first number. */
function recoveryS({ fromS, toS }: Part, rows: HistoryRows, firstRate: number): number {
  const tS = rows.column('t_s');
  const rate = rows.column('transactions_per_s');
  let recoveredS = fromS;
  for (let row = 0; row < rows.length; row += 1) {
    const isInPart = tS[row]! > fromS && tS[row]! <= toS;
    if (isInPart && rate[row]! < firstRate / 2) recoveredS = tS[row]!;
  }
  return recoveredS - fromS;
}
