// Provides the lab to scripts and validates their arguments first.
import type { Judgement, LabCheckResult, LabMeasurement, LabSettings } from '../../contract/lab-results';
import { all_lab_exercises } from '../../contract/all-lab-exercises';
import { refusedField } from '../../engine-client/command-refused';
import type { LatchLab } from './latch-lab';
import { firstSettings } from './lab-state';
import { programOf } from './lab-work';

export function labAutomation(lab: LatchLab) {
  /** Undefined selects the source that the lab shows. */
  const begin = (source: unknown) => {
    lab.begin(source === undefined ? null : sourceOf(source));
  };
  return {
    compile: (source: unknown): Promise<object> => programOf(sourceOf(source)),
    check: (source: unknown, options: unknown): Promise<LabCheckResult> => {
      if (typeof options !== 'object' || options === null)
        throw refusedField('options', options, 'an object, such as { threads: 2 }');
      begin(source);
      // The engine validates the options.
      return lab.check(options);
    },
    measure: (source: unknown, settings: unknown): Promise<LabMeasurement> => {
      const change = settingsOf(settings);
      begin(source);
      lab.set(change);
      return lab.measure();
    },
    judge: (exercise: unknown, source: unknown): Promise<Judgement> => {
      const known = all_lab_exercises.map(({ id }) => id);
      if (typeof exercise !== 'string' || !known.includes(exercise))
        throw refusedField('exercise', exercise, known.join(', '));
      lab.openExercise(exercise);
      begin(source);
      return lab.judge();
    },
    lookAt: (step: unknown): void => {
      if (!Number.isSafeInteger(step)) throw refusedField('step', step, 'a step number');
      lab.lookAt(step as number);
    },
  };
}

function sourceOf(source: unknown): string {
  if (typeof source === 'string') return source;
  throw refusedField('source', source, 'latch source text');
}

function settingsOf(given: unknown): Partial<LabSettings> {
  return Object.fromEntries(
    Object.entries(given ?? {}).map(([field, value]: [string, unknown]) => {
      if (!Object.hasOwn(firstSettings, field))
        throw refusedField(`settings.${field}`, value, Object.keys(firstSettings).join(', '));
      return [field, String(value)];
    }),
  );
}
