// Judges answers to exercises in the page with the runs that their checks need. Stores solved
// exercises as text.
import type { Judgement } from '../../contract/lab-results';
import {
  ATTEMPT,
  judge,
  partOfWorkload,
  runsOf,
  type LabRun,
  type RunOutcome,
} from '../../analysis/lab-judgement';
import { workloadInWords } from '../../analysis/lab-exercise-words';
import { lab_reference_latches } from '../../contract/all-lab-exercises';
import { START, type ShownExercise } from '../../contract/lab-exercise';
import { defaultRunSpec } from '../../contract/run-spec';
import { CommandRefused, reasonsOf } from '../../engine-client/command-refused';
import type { ExtraEngine } from '../../session/extra-engine';
import type { LabWork } from './lab-state';
import { programOf } from './lab-work';
import type { ExplorerState } from '../../session/store';

export async function judgeAnswer(
  exercise: ShownExercise,
  source: string,
  { engine, scenarios, machine }: { engine: ExtraEngine } & Pick<ExplorerState, 'scenarios' | 'machine'>,
  tell: (work: Omit<LabWork, 'kind'>) => void,
): Promise<Judgement> {
  const attempt = { source, program: await programOf(source) };
  const start = { source: exercise.start, program: await programOf(exercise.start) };
  const written = ({ latch }: LabRun) => (latch === ATTEMPT ? attempt : start);
  const carryOut = async (run: LabRun, onProgress: (part: number) => void): Promise<RunOutcome> => {
    switch (run.kind) {
      case 'check':
        return engine.checkLatch(attempt.program, run.options, ({ part, parts }) =>
          onProgress((part - 1) / parts),
        );
      case 'contest': {
        const isOwn = run.latch === ATTEMPT || run.latch === START;
        const program = isOwn ? written(run).program : await programOf(lab_reference_latches[run.latch]!);
        return engine.compete(program, run.contest);
      }
      case 'workload': {
        const { manifest } = scenarios.find(({ manifest: { id } }) => id === run.workload.scenario)!;
        const part = partOfWorkload(run, manifest, run.isWithLatch ? written(run) : null);
        const { result } = await engine.run(defaultRunSpec(manifest, machine, 'virtual', part));
        return result;
      }
    }
  };
  const outcomes = new Map<string, RunOutcome>();
  const runs = runsOf(exercise.checks);
  for (const [i, run] of runs.entries()) {
    const said = inWords(run);
    const onProgress = (part: number) => {
      tell({ sentence: said, partDone: (i + part) / runs.length });
    };
    onProgress(0);
    outcomes.set(run.id, await unlessRefused(carryOut(run, onProgress)));
  }
  return judge(exercise, attempt, start, outcomes);
}

function inWords(run: LabRun): string {
  if (run.kind === 'check') return 'Checking correctness';
  if (run.kind === 'contest') return `Measuring with ${run.contest.threads} threads`;
  return `In the server: ${run.isWithLatch ? workloadInWords(run.workload) : run.latch}`;
}

async function unlessRefused(run: Promise<RunOutcome>): Promise<RunOutcome> {
  try {
    return await run;
  } catch (error) {
    // A refusal by the engine is an outcome; any other error is not.
    if (!(error instanceof CommandRefused)) throw error;
    return { refused: reasonsOf(error).join(' ') };
  }
}

const VERSION = 1;
const CHARACTERS_MAX = 100_000;

export const textOfSolved = (solved: Readonly<Record<string, string>>): string =>
  JSON.stringify({ version: VERSION, solved }, null, 2);

/** Ignores stored text of another version or origin. */
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
