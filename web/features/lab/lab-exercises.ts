// Exercises of the lab in the page: an answer is judged by the runs that its checks need; what was solved is remembered as text.
import {
  ATTEMPT,
  judge,
  runsOf,
  type Judgement,
  type LabRun,
  type RunOutcome,
} from '../../analysis/lab-judgement';
import { lab_reference_latches } from '../../contract/all-lab-exercises';
import { START, type ShownExercise } from '../../contract/lab-exercise';
import { CommandRefused, reasonsOf } from '../../engine-client/command-refused';
import type { BesideEngine } from '../../session/beside-engine';
import type { LabWork } from './lab-state';
import { programOf } from './lab-work';

export async function judgeAnswer(
  exercise: ShownExercise,
  source: string,
  engine: BesideEngine,
  tell: (work: Omit<LabWork, 'kind'>) => void,
): Promise<Judgement> {
  const attempt = { source, program: programOf(source) };
  const start = { source: exercise.start, program: programOf(exercise.start) };
  const programOfRun = ({ latch }: LabRun) => {
    if (latch === ATTEMPT) return attempt.program;
    return latch === START ? start.program : programOf(lab_reference_latches[latch]!);
  };
  const outcomes = new Map<string, RunOutcome>();
  const runs = runsOf(exercise.checks);
  for (const [i, run] of runs.entries()) {
    const said = run.kind === 'check' ? 'Is it right?' : `Does it scale? ${run.contest.threads} threads`;
    const onProgress = (part: number) => {
      tell({ sentence: said, part_done: (i + part) / runs.length });
    };
    onProgress(0);
    outcomes.set(run.id, await outcomeOf(run, programOfRun(run), engine, onProgress));
  }
  return judge(exercise, attempt, start, outcomes);
}

async function outcomeOf(
  run: LabRun,
  program: object,
  engine: BesideEngine,
  onProgress: (part: number) => void,
): Promise<RunOutcome> {
  try {
    if (run.kind === 'contest') return await engine.compete(program, run.contest);
    return await engine.checkLatch(program, run.options, ({ part, parts }) => {
      onProgress((part - 1) / parts);
    });
  } catch (error) {
    // The engine has refused it; whatever else goes wrong is no outcome.
    if (!(error instanceof CommandRefused)) throw error;
    return { refused: reasonsOf(error).join(' ') };
  }
}

const VERSION = 1;
const CHARACTERS_MAX = 100_000;

export const textOfSolved = (solved: Readonly<Record<string, string>>): string =>
  JSON.stringify({ version: VERSION, solved }, null, 2);

/** What this device has remembered may be of another version, or of somebody else: then it is nothing. */
export function solvedFrom(text: string | null): Record<string, string> {
  try {
    const { version, solved } = JSON.parse(text ?? '{}') as { version?: unknown; solved?: object };
    if (version !== VERSION || typeof solved !== 'object') return {};
    const answers = Object.entries(solved).filter(
      (pair): pair is [string, string] => typeof pair[1] === 'string' && pair[1].length <= CHARACTERS_MAX,
    );
    return Object.fromEntries(answers);
  } catch {
    return {};
  }
}
