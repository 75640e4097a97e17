// Runs the lab's work in an engine. Loaded with the lab, together with the compiler and the
// latches.
import { counted } from '../../analysis/format';
import type { LabContest, LabMeasurement, LabSettings, MeasuredLatch } from '../../contract/lab-results';
import type { LabProgram } from '../../contract/latch-program';
import { latchWalk, shownFault } from '../../analysis/latch-walk';
import { all_lab_exercises } from '../../contract/all-lab-exercises';
import type { Fault } from '../../contract/fault';
import type { ShownExercise } from '../../contract/lab-exercise';
import type { LabCheckOptions, LabContestSpec } from '../../contract/lab-exercise';
import { CommandRefused } from '../../engine-client/command-refused';
import type { ExtraEngine } from '../../session/extra-engine';
import { compileLatch } from '../../session/source-compiler';
import type { LabCheck, LabSlice, LabWork } from './lab-state';
import { sourceOfLatch } from './latches';

type Lab = LabSlice['lab'];
type Tell = (work: Omit<LabWork, 'kind'>) => void;

/** Returns the open exercise; throws if there is none. */
export function exerciseOf({ exercise }: Pick<Lab, 'exercise'>): ShownExercise {
  const found = exerciseNamed(exercise);
  if (found === undefined)
    throw new CommandRefused([
      {
        field: 'exercise',
        value: exercise ?? 'none',
        allowed: all_lab_exercises.map(({ id }) => id).join(', '),
      },
    ]);
  return found;
}

export const exerciseNamed = (id: string | null): ShownExercise | undefined =>
  all_lab_exercises.find((exercise) => exercise.id === id);

/** Returns the source that the reader sees. */
export function sourceShown({ latch, exercise, source }: Pick<Lab, 'latch' | 'exercise' | 'source'>): string {
  if (source !== null) return source;
  if (exercise !== null)
    return exerciseNamed(exercise)?.start ?? `// Unknown exercise ${exercise}: not in lab/exercises/.\n`;
  return sourceOfLatch(latch) ?? `// Unknown latch ${latch}: not in lab/latches/.\n`;
}

/** Rejects with all errors of the source. */
export async function programOf(source: string): Promise<LabProgram> {
  const { program, errors } = await compileLatch(source);
  if (program !== undefined) return program;
  throw new CommandRefused(
    errors.map(({ line, sentence }): Fault => ({
      field: `line ${line}`,
      value: 'invalid',
      allowed: sentence,
    })),
    errors.map(({ line, sentence }) => `Line ${line}: ${sentence}.`).join('\n'),
  );
}

export async function checkLatch(
  lab: Lab,
  options: LabCheckOptions,
  engine: ExtraEngine,
  tell: Tell,
): Promise<LabCheck> {
  const source = sourceShown(lab);
  const program = await programOf(source);
  const result = await engine.checkLatch(program, options, ({ part, parts, sentence }) =>
    tell({ sentence, partDone: (part - 1) / parts }),
  );
  if (result.verdict === 'refused') throw new CommandRefused(result.sentence);
  const shown = shownFault(result);
  const walk = shown === undefined ? [] : latchWalk(shown);
  return { source, result, walk, step: Math.min(1, Math.max(0, walk.length - 1)) };
}

/** Measures each latch with each number of threads, the reader's latch first. */
export async function measureLatches(
  lab: Lab,
  engine: ExtraEngine,
  tell: Tell,
  onContest: (soFar: LabMeasurement) => void,
): Promise<LabMeasurement> {
  const source = sourceShown(lab);
  const { threads, ...contest } = contestOf(lab.settings);
  const programs = await Promise.all([
    programOf(source).then((program) => ({ latch: null, program })),
    ...lab.references.map(async (latch) => ({ latch, program: await programOf(sourceOfLatch(latch)!) })),
  ]);
  const latches: MeasuredLatch[] = [];
  const countsOf = ({ threads_max = Infinity }: LabProgram) =>
    threads.filter((count) => count <= threads_max);
  const total = programs.reduce((sum, { program }) => sum + countsOf(program).length, 0);
  let done = 0;
  for (const { latch, program } of programs) {
    const isRw = program.functions.enter_shared !== undefined;
    const said = { ...contest, shared_percent: isRw ? contest.shared_percent : 0 };
    const contests: LabContest[] = [];
    for (const count of countsOf(program)) {
      tell({
        sentence: `${latch ?? 'yours'} with ${counted(count, 'thread')}`,
        partDone: done / total,
      });
      contests.push(await engine.compete(program, { ...said, threads: count }));
      done += 1;
      onContest({ source, contest, threads, latches: [...latches, { latch, contests: [...contests] }] });
    }
    latches.push({ latch, contests });
  }
  return { source, contest, threads, latches };
}

const COUNTS_MAX = 12;

type Planned = Required<Pick<LabContestSpec, 'server' | 'hold_ns' | 'think_ns' | 'shared_percent'>> & {
  threads: number[];
};

/**
 * Throws CommandRefused with the faults of the settings. The engine checks the ranges of numbers.
 */
export function contestOf(settings: LabSettings): Planned {
  const faults: Fault[] = [];
  const number = (field: 'hold_ns' | 'think_ns' | 'shared_percent') => {
    if (!/^\d{1,9}$/.test(settings[field].trim()))
      faults.push({ field, value: settings[field], allowed: 'a whole number, 0 or more' });
    return Number(settings[field]);
  };
  const counts = settings.threads.split(',').map((text) => text.trim());
  const areCounts = counts.every((text) => /^[1-9]\d{0,2}$/.test(text)) && counts.length <= COUNTS_MAX;
  if (!areCounts) {
    const allowed = `up to ${COUNTS_MAX} thread counts separated by commas, such as 1,2,4,8`;
    faults.push({ field: 'threads', value: settings.threads, allowed });
  }
  const planned = {
    server: settings.server,
    hold_ns: number('hold_ns'),
    think_ns: number('think_ns'),
    shared_percent: number('shared_percent'),
    threads: [...new Set(counts.map(Number))].sort((a, b) => a - b),
  };
  if (faults.length > 0) throw new CommandRefused(faults);
  return planned;
}
