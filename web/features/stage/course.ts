// Defines the course of a stage: the run of its stage.json, and the steps of a run.
import type { Design } from '../../contract/design';
import type { Manifest } from '../../contract/manifest';
import { defaultRunSpec, type Machine, type RunSpec, type TimedAction } from '../../contract/run-spec';
import type { StageStep, StageStory } from '../../contract/scenario-files/stage';
import type { RunMark } from '../../recording/run-marks';

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
