// Formats and parses the branches in a link. Each has a field: its parent, when it left it, its
// design and actions, and its name.
//    course.1=0;0;tablespace_lookup:global_mutex;;first course
//    course.2=1;0.02;tablespace_lookup:global_mutex;0.02:one_table;one table
//    course.3=1;0.02;tablespace_lookup:global_mutex;;PAUSE 50 %
//    course.3.what_if=what_if.costs.pause_ps=50&what_if.from_s=0.02, percent-encoded
// The rest of a branch comes from the link's run, as does its what-if if no branch has its own. On
// any machine, each branch repeats every event.
import type { Fault } from '../../contract/fault';
import { parseRunSpec, type Parsed, type RunSpec } from '../../contract/run-spec';
import {
  formatTimedAction,
  inputOfPairs,
  isWhatIfKey,
  parseTimedAction,
  whatIfPairs,
} from '../../contract/run-spec-pairs';
import type { LinkPair, ParsedLink } from '../../session/feature';
import { isSameRun } from '../../session/run-as-it-went';
import { no_courses, type Course, type CourseTree } from './course-tree';
import { isCourseName, NAME_IN_WORDS } from './course-name';

const FIELD = /^course\.([1-9]\d?)$/;
const WHAT_IF = /^course\.([1-9]\d?)\.what_if$/;
/** Selects the branch that the charts draw behind the shown one. */
const BEHIND = 'course.behind';
export const isCourseField = (key: string) => FIELD.test(key) || WHAT_IF.test(key) || key === BEHIND;
export const COURSE_FIELDS = ['course.1, course.2, …', 'course.1.what_if, …', BEHIND];

const FORM = 'parent branch;seconds;knob:variant,…;seconds:action,…;name';

/** Numbers the branches from 1. */
export function coursePairs({ courses, behind }: CourseTree): LinkPair[] {
  const place = (id: number | null) => courses.findIndex((course) => course.id === id) + 1;
  const pairs = courses.flatMap(({ parent, at_s, spec, name }, i): LinkPair[] => {
    const design = Object.entries(spec.design).map(([knob, variant]) => `${knob}:${variant}`);
    const parts = [place(parent), at_s, design.join(','), spec.actions.map(formatTimedAction).join(',')];
    const field = `course.${i + 1}`;
    const what_if = whatIfPairs(spec.what_if).map((pair) => pair.join('='));
    const course: LinkPair = [field, [...parts, encodeURIComponent(name)].join(';')];
    if (what_if.length === 0) return [course];
    return [course, [`${field}.what_if`, encodeURIComponent(what_if.join('&'))]];
  });
  return behind === null ? pairs : [...pairs, [BEHIND, String(place(behind))]];
}

export function parseCourses(link: ParsedLink): Parsed<{ course_tree: CourseTree }> {
  const fields = link.pairs.filter(([key]) => FIELD.test(key));
  const [[, behind] = []] = link.pairs.filter(([key]) => key === BEHIND);
  if (fields.length === 0 && behind === undefined) return { ok: true, value: { course_tree: no_courses } };
  const what_ifs = new Map(link.pairs.filter(([key]) => WHAT_IF.test(key)));
  const errors = faultsOfWhatIfs(what_ifs, fields.length);
  const courses: Course[] = [];
  for (const [i, [key, value]] of fields.entries()) {
    const what_if = what_ifs.size === 0 ? link.spec.what_if : parseWhatIf(what_ifs.get(`${key}.what_if`));
    const read =
      link.spec.platform === 'virtual' ? courseOf(value, i + 1, courses, { ...link, what_if }) : ON_THREADS;
    if (key !== `course.${i + 1}`)
      errors.push({ field: key, value, allowed: `course.${i + 1}: branches are numbered from 1` });
    else if (typeof read === 'string') errors.push({ field: key, value, allowed: read });
    else courses.push(read);
  }
  const is_behind = behind === undefined || courses.some(({ id }) => String(id) === behind);
  if (!is_behind && errors.length === 0)
    errors.push({ field: BEHIND, value: behind, allowed: placesInWords(courses.length) });
  if (errors.length > 0) return { ok: false, errors };
  const current = courses.find(({ spec }) => isSameRun(spec, link.spec))?.id ?? null;
  return {
    ok: true,
    value: { course_tree: { courses, current, behind: behind === undefined ? null : Number(behind) } },
  };
}

const placesInWords = (count: number) => (count === 0 ? 'nothing without course.1' : `1 to ${count}`);

const ON_THREADS = 'nothing: only runs on the virtual server have branches';

const WHAT_IF_FORM = 'what_if.costs.…, what_if.latch, what_if.from_s as in a link, percent-encoded';

function faultsOfWhatIfs(what_ifs: ReadonlyMap<string, string>, courses: number): Fault[] {
  return [...what_ifs].flatMap(([field, value]) => {
    if (Number(WHAT_IF.exec(field)![1]) > courses)
      return [{ field, value, allowed: `a branch in this link: ${placesInWords(courses)}` }];
    const is_one = [...new URLSearchParams(value).keys()].every(isWhatIfKey);
    return is_one ? [] : [{ field, value, allowed: WHAT_IF_FORM }];
  });
}

/** Returns undefined if there is no what-if. */
const parseWhatIf = (text: string | undefined): unknown =>
  text === undefined ? undefined : inputOfPairs([...new URLSearchParams(text)]).what_if;

interface OfTheCourses extends ParsedLink {
  what_if: unknown;
}

/** Returns the branch, or a text with the allowed values. */
function courseOf(value: string, id: number, before: readonly Course[], link: OfTheCourses): Course | string {
  const [parent_text, at_text, design, actions, ...rest] = value.split(';');
  if (actions === undefined || rest.length === 0) return FORM;
  const [parent, at_s, name] = [Number(parent_text), Number(at_text), rest.join(';')];
  const is_parent = id === 1 ? parent === 0 : before.some((course) => course.id === parent);
  if (!is_parent) return id === 1 ? '0 as the parent branch' : `1 to ${id - 1} as the parent branch`;
  if (at_text === '' || !(at_s >= 0)) return 'a number of seconds, 0 or more';
  if (!isCourseName(name)) return `a name: ${NAME_IN_WORDS}`;
  const spec = specOf(link, design!, actions);
  if (typeof spec === 'string') return spec;
  return { id, name, parent: parent === 0 ? null : parent, at_s, spec, seen: null };
}

function withoutWhatIf(spec: RunSpec): RunSpec {
  const as_it_is = { ...spec };
  delete as_it_is.what_if;
  return as_it_is;
}

const listOf = (text: string) => (text === '' ? [] : text.split(','));

function specOf(link: OfTheCourses, design: string, actions: string): RunSpec | string {
  const { spec, scenario, machine, what_if } = link;
  const input = {
    ...withoutWhatIf(spec),
    ...(what_if !== undefined && { what_if }),
    design: Object.fromEntries(listOf(design).map((text) => text.split(':'))) as Record<string, string>,
    actions: listOf(actions).map(parseTimedAction),
  };
  const parsed = parseRunSpec(input, [scenario], machine);
  if (parsed.ok) return parsed.value;
  return parsed.errors
    .map(({ field, value, allowed }) => `${field}: not ${value}, but ${allowed}`)
    .join('; ');
}
