// Derives the runs of a lesson from its tasks: a task starts a run, and later tasks change it at its
// pauses.
import type { Design } from '../contract/design';
import { tasksOf, type LessonTask } from '../contract/lesson';
import type { Scenario } from '../contract/manifest';
import { RUN_SPEC_VERSION, type Machine, type RunSpec, type TimedAction } from '../contract/run-spec';
import { parseLink } from './link';

/** A run of a lesson with all its changes. */
export interface LessonRun {
  /** To its end or its last pause; the changes are timed actions. */
  spec: RunSpec;
  /** In order, each with the run time in seconds at which it is done. */
  tasks: readonly { task: LessonTask; endS: number }[];
}

/** Returns the run that a task starts. Throws if the lesson is invalid. */
export function specOfTask({ run }: LessonTask, scenario: Scenario, machine: Machine): RunSpec {
  const all = [['v', String(RUN_SPEC_VERSION)], ['scenario', scenario.manifest.id], ...(run ?? [])];
  const link = parseLink(all.map((pair) => pair.join('=')).join('&'), [scenario], machine);
  if (link?.ok !== true) throw new Error(`Invalid run in the lesson: ${JSON.stringify(link?.errors)}`);
  return link.value.spec;
}

/** Returns the runs of a scenario's lesson, in order. Runs without an end are left out. */
export function lessonRuns(scenario: Scenario, machine: Machine): LessonRun[] {
  const runs: LessonRun[] = [];
  for (const task of scenario.lesson?.steps.flatMap(tasksOf) ?? []) {
    const current = runs.at(-1);
    if (task.run !== null) {
      const spec = specOfTask(task, scenario, machine);
      runs.push(endingAt({ spec, tasks: [] }, task, task.pause_after_s ?? spec.duration_s ?? Infinity));
    } else if (current !== undefined && task.commands.length > 0) {
      const { spec, tasks } = current;
      const atS = tasks.at(-1)!.endS;
      const changes = changesOf(task.commands, designAtEnd(spec), scenario.manifest);
      const actions = [...spec.actions, ...changes.map((change) => ({ ...change, at_s: atS }))];
      const endS = atS + (task.pause_after_s ?? Infinity);
      runs.splice(-1, 1, endingAt({ spec: { ...spec, actions }, tasks }, task, endS));
    }
  }
  return runs.filter(({ spec }) => Number.isFinite(spec.duration_s));
}

const endingAt = ({ spec, tasks }: LessonRun, task: LessonTask, endS: number): LessonRun => ({
  spec: { ...spec, duration_s: endS },
  tasks: [...tasks, { task, endS }],
});

/** Returns the changes of these commands. A knob that stays as it is does not change. */
function changesOf(
  commands: readonly string[],
  before: Design,
  { designs }: Scenario['manifest'],
): TimedAction[] {
  let design = before;
  return commands.flatMap((command): TimedAction[] => {
    const [kind, subject = '', variant = ''] = command.split('.');
    if (kind === 'action') return [{ at_s: 0, action: subject }];
    const selected = kind === 'design' ? designs[subject]! : kind === 'knob' ? { [subject]: variant } : {};
    const changed = Object.entries(selected).filter(([knob, value]) => design[knob] !== value);
    design = { ...design, ...selected };
    return changed.map(([knob, value]) => ({ at_s: 0, knob, variant: value }));
  });
}

const designAtEnd = ({ design, actions }: RunSpec): Design => ({
  ...design,
  ...Object.fromEntries(actions.flatMap((one) => ('knob' in one ? [[one.knob, one.variant]] : []))),
});
