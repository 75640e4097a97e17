// Defines the recorded course of a bug: the run of its stage.json, as the page has seen it.
import type { QueuePicture } from '../../analysis/client-queue';
import type { LatchQueue, QueueCause, StoredCourse } from '../../contract/client-queue';
import type { Design } from '../../contract/design';
import type { Manifest } from '../../contract/manifest';
import { defaultRunSpec, type Machine, type RunSpec, type TimedAction } from '../../contract/run-spec';
import type { StageStep, StageStory } from '../../contract/scenario-files/stage';
import { busy_states, type BusyState } from '../../contract/time-shares';
import { History } from '../../recording/history';
import { runMark, type RunMark } from '../../recording/run-marks';

/** A recorded course. */
export interface Course {
  spec: RunSpec;
  marks: readonly RunMark[];
  history: History;
  pictures: readonly QueuePicture[];
}

/** Returns the actions of a step at this moment of a run, which has had `breaks` breaks. */
export function actionsOf(
  step: StageStep,
  atS: number,
  { story, manifest, breaks }: { story: StageStory; manifest: Manifest; breaks: number },
): TimedAction[] {
  const { actions, actions_again } = story.break;
  const broken = breaks > 0 ? (actions_again ?? actions) : actions;
  if (step === 'break' && broken !== undefined) return broken.map((action) => ({ at_s: atS, action }));
  const design = designOf(step === 'fixed' ? 'fixed' : 'original', manifest);
  return Object.entries(design).map(([knob, variant]) => ({ at_s: atS, knob, variant }));
}

/** Returns the actions of all steps of a run, in order. */
export function actionsOfSteps(
  steps: readonly { step: StageStep; atS: number }[],
  story: StageStory,
  manifest: Manifest,
): TimedAction[] {
  let breaks = 0;
  return steps.flatMap(({ step, atS }) => {
    const actions = actionsOf(step, atS, { story, manifest, breaks });
    if (step === 'break') breaks += 1;
    return actions;
  });
}

/** Returns one of the two designs: the knobs in which they differ. */
export function designOf(name: 'original' | 'fixed', { knobs, designs }: Manifest): Design {
  const { original, fixed } = designs;
  const differing = knobs.filter(({ id }) => original![id] !== fixed![id]);
  return Object.fromEntries(differing.map(({ id }) => [id, designs[name]![id]!]));
}

/** Returns the spec of the recorded course. */
export function courseSpec(story: StageStory, manifest: Manifest, machine: Machine): RunSpec {
  const { spec, course } = story;
  const steps = course.steps.map(({ at_s, step }) => ({ step, atS: at_s }));
  const actions = actionsOfSteps(steps, story, manifest);
  return defaultRunSpec(manifest, machine, 'virtual', { ...spec, duration_s: course.duration_s, actions });
}

/** The seen parts of a run. */
interface SeenRun {
  history: History;
  marks: readonly RunMark[];
  pictures: readonly QueuePicture[];
}

/** Converts a run that the page has seen. Rates are rounded to what a chart can show. */
export function storedCourse({ history, marks, pictures }: SeenRun): Omit<StoredCourse, 'numbers'> {
  const queues = new Table<LatchQueue>();
  const causes = new Table<QueueCause>();
  const states = busy_states.filter((state) => pictures.some((picture) => picture.states[state]));
  return {
    t_s: Array.from(history.column('t_s'), (value) => rounded(value, 9)),
    transactions: [...history.column('transactions')],
    rate: Array.from(history.column('transactions_per_s'), (value) =>
      Number.isNaN(value) ? null : rounded(value, 4),
    ),
    marks: marks.map(({ number, kind, subject, value, run_ns, step_ns, stopped_us, is_by_hand }) => ({
      ...{ number, kind, subject, value, run_ns, step_ns, stopped_us, is_by_hand },
    })),
    pictures: {
      t_s: pictures.map(({ tS }) => rounded(tS, 9)),
      states: Object.fromEntries(
        states.map((state) => [state, pictures.map((picture) => picture.states[state] ?? 0)]),
      ),
      queue: pictures.map(({ queue }) => queues.numberOf(queue)),
      cause: pictures.map(({ cause }) => causes.numberOf(cause)),
      queue_table: queues.entries,
      cause_table: causes.entries,
    },
  };
}

/** Numbers equal entries once. */
class Table<Entry> {
  readonly entries: Entry[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(entry: Entry | null): number {
    if (entry === null) return -1;
    const key = JSON.stringify(entry);
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.entries.push(entry) - 1;
    this.#numbers.set(key, number);
    return number;
  }
}

export const rounded = (value: number, digits: number) => Number(value.toPrecision(digits));

/** Restores a stored course. */
export function courseOf(stored: Omit<StoredCourse, 'numbers'>, spec: RunSpec, manifest: Manifest): Course {
  const history = new History();
  const { pictures } = stored;
  const nothing = { p50_ns: null, p95_ns: null, p99_ns: null, max_ns: null, operations_per_s: null };
  const noShares = Object.fromEntries(busy_states.map((state) => [state, null])) as Record<BusyState, null>;
  history.show(
    stored.t_s.map((tS, i) => ({
      ...{ t_s: tS, from_s: tS, transactions: stored.transactions[i]! },
      ...{ transactions_per_s: stored.rate[i]!, ...nothing, ...noShares },
    })),
  );
  return {
    spec,
    history,
    marks: stored.marks.map((mark) => runMark(mark, manifest)),
    pictures: pictures.t_s.map((tS, i) => ({
      tS,
      states: Object.fromEntries(
        Object.entries(pictures.states).map(([state, counts]) => [state, counts[i]!]),
      ),
      queue: pictures.queue_table[pictures.queue[i]!] ?? null,
      cause: pictures.cause_table[pictures.cause[i]!] ?? null,
    })),
  };
}

/** Returns the steps of a run's marks. Marks at one moment are one step; other changes are none. */
export function stepsOf(
  marks: readonly RunMark[],
  { break: broken }: StageStory,
  manifest: Manifest,
): { step: StageStep; atS: number }[] {
  const fixed = designOf('fixed', manifest);
  const steps: { step: StageStep; atS: number }[] = [];
  for (const mark of marks) {
    // When it was asked for: the clients may end their transactions first.
    const atS = mark.step_ns / 1e9;
    if (steps.at(-1)?.atS === atS) continue;
    const isBreak = mark.kind === 'action' && isOneOf(mark.action.id, broken);
    if (isBreak) steps.push({ step: 'break', atS });
    else if (mark.kind === 'knob' && mark.knob.id in fixed) {
      const isFixed = fixed[mark.knob.id] === mark.variant.id;
      steps.push({ step: isFixed ? 'fixed' : broken.actions === undefined ? 'break' : 'original', atS });
    }
  }
  return steps;
}

const isOneOf = (id: string, { actions = [], actions_again = [] }: StageStory['break']) =>
  actions.includes(id) || actions_again.includes(id);
