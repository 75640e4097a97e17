// Formats and parses the fields of a study in a link, in addition to the run spec:
//    #v=1&view=what_if&scenario=undo-read-117533&study=profile&study.seeds=5&study.from_s=0.1
//    #v=1&view=what_if&scenario=fil-mutex-69276&study=curve&study.latch=fil_system->mutex
//    #v=1&view=what_if&scenario=fil-mutex-69276&study=curve&study.cost=pause_ps&study.scale=0,50
import type { HandOver, StudyKind, StudySettings } from '../../contract/draft';
import type { Fault } from '../../contract/fault';
import { numberIfHeld } from '../../contract/run-spec-pairs';
import type { Parsed } from '../../contract/run-spec';
import type { ParsedLink } from '../../session/feature';
import type { View } from '../../session/store';
import { refuse } from '../../session/series-settings';
import { defaultStudy, planStudy, subjectErrors } from './study-plan';
import { handOvers } from './what-if';

const kinds: readonly string[] = ['profile', 'curve'] satisfies StudyKind[];
const STUDY = 'study';
const fields = ['latch', 'site', 'hand_over', 'cost', 'scale', 'percent', 'top', 'seeds', 'from_s'] as const;
const numberFields: readonly string[] = ['percent', 'top', 'seeds', 'from_s'];
const kindOfField: Record<string, StudyKind> = {
  latch: 'curve',
  site: 'curve',
  hand_over: 'curve',
  cost: 'curve',
  scale: 'curve',
  percent: 'profile',
  top: 'profile',
};

export const isNumberField = (field: string) => numberFields.includes(field);

export const studyFields = [STUDY, 'study.…'];

export const isStudyField = (key: string) =>
  key === STUDY || fields.some((field) => key === `${STUDY}.${field}`);

/** Returns only values that differ from the defaults. */
export function studyPairs(view: View, settings: StudySettings): [string, string][] {
  if (view !== 'what_if') return [];
  const { kind } = settings;
  const ofKind = fields.filter((field) => (kindOfField[field] ?? kind) === kind);
  const pairs = ofKind.flatMap((field): [string, string][] => {
    const value = settings[field];
    const isDefault = value === null || value === defaultStudy[field];
    return isDefault ? [] : [[`${STUDY}.${field}`, String(value).replaceAll(/\s*,\s*/g, ',')]];
  });
  return kind === defaultStudy.kind ? pairs : [[STUDY, kind], ...pairs];
}

/**
 * Returns faults of fields that mean nothing in the link's view, or for the other kind of study.
 */
export function misplacedStudyFields(view: View, pairs: readonly [string, string][]): Fault[] {
  const kind = new Map(pairs).get(STUDY) ?? defaultStudy.kind;
  return pairs.flatMap(([key, value]) => {
    if (!isStudyField(key)) return [];
    if (view !== 'what_if') return [{ field: key, value, allowed: 'only with view=what_if' }];
    const ofKind = kindOfField[key.slice(STUDY.length + 1)];
    if (ofKind === undefined || ofKind === kind || !kinds.includes(kind)) return [];
    return [{ field: key, value, allowed: `only with study=${ofKind}` }];
  });
}

export function parseStudy({ view, runnable, spec, scenario, machine }: ParsedLink): Parsed<object> {
  if (view !== 'what_if') return { ok: true, value: { studySettings: defaultStudy } };
  const said = new Map(runnable);
  const settings = settingsOf((field) => {
    const text = said.get(field === 'kind' ? STUDY : `${STUDY}.${field}`);
    return text === undefined || !isNumberField(field) ? text : numberIfHeld(text);
  });
  if (!settings.ok) return settings;
  const parsed = { ok: true as const, value: { studySettings: settings.value } };
  // The view explains that it needs the virtual server, and offers it.
  if (spec.platform !== 'virtual') {
    const errors = settings.value.kind === 'curve' ? subjectErrors(settings.value, scenario.manifest) : [];
    return errors.length > 0 ? { ok: false, errors } : parsed;
  }
  const plan = planStudy(spec, settings.value, { scenario, scenarios: [scenario], machine });
  return plan.ok ? parsed : plan;
}

/** Parses settings from the fields of a link or a script. */
export function settingsOf(said: (field: keyof StudySettings) => unknown): Parsed<StudySettings> {
  const kind = said('kind') ?? defaultStudy.kind;
  if (!kinds.includes(kind as string)) return refuse(STUDY, kind, kinds.join(' or '));
  const handOver = said('hand_over') ?? defaultStudy.hand_over;
  if (!Object.hasOwn(handOvers, handOver as string)) {
    return refuse(`${STUDY}.hand_over`, handOver, Object.keys(handOvers).join(', '));
  }
  const rest = fields.filter((field) => field !== 'hand_over').map((field) => [field, said(field) ?? null]);
  return {
    ok: true,
    value: {
      kind: kind as StudyKind,
      hand_over: handOver as HandOver,
      ...(Object.fromEntries(rest) as Omit<StudySettings, 'kind' | 'hand_over'>),
    },
  };
}
