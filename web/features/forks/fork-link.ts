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
import { isSameRun } from '../../session/baseline-run';
import { noBranches, type Branch, type BranchTree, isBranchName, NAME_IN_WORDS } from './branch-tree';

const field = /^course\.([1-9]\d?)$/;
const whatIf = /^course\.([1-9]\d?)\.what_if$/;
/** Selects the branch that the charts draw behind the shown one. */
const BEHIND = 'course.behind';
export const isBranchField = (key: string) => field.test(key) || whatIf.test(key) || key === BEHIND;
export const branchFields = ['course.1, course.2, …', 'course.1.what_if, …', BEHIND];

const FORM = 'parent branch;seconds;knob:variant,…;seconds:action,…;name';

/** Numbers the branches from 1. */
export function branchPairs({ branches, behind }: BranchTree): LinkPair[] {
  const place = (id: number | null) => branches.findIndex((branch) => branch.id === id) + 1;
  const pairs = branches.flatMap(({ parent, atS, spec, name }, i): LinkPair[] => {
    const design = Object.entries(spec.design).map(([knob, variant]) => `${knob}:${variant}`);
    const parts = [place(parent), atS, design.join(','), spec.actions.map(formatTimedAction).join(',')];
    const field = `course.${i + 1}`;
    const whatIf = whatIfPairs(spec.what_if).map((pair) => pair.join('='));
    const branch: LinkPair = [field, [...parts, encodeURIComponent(name)].join(';')];
    if (whatIf.length === 0) return [branch];
    return [branch, [`${field}.what_if`, encodeURIComponent(whatIf.join('&'))]];
  });
  return behind === null ? pairs : [...pairs, [BEHIND, String(place(behind))]];
}

export function parseBranches(link: ParsedLink): Parsed<{ branchTree: BranchTree }> {
  const fields = link.pairs.filter(([key]) => field.test(key));
  const [[, behind] = []] = link.pairs.filter(([key]) => key === BEHIND);
  if (fields.length === 0 && behind === undefined) return { ok: true, value: { branchTree: noBranches } };
  const whatIfs = new Map(link.pairs.filter(([key]) => whatIf.test(key)));
  const errors = faultsOfWhatIfs(whatIfs, fields.length);
  const branches: Branch[] = [];
  for (const [i, [key, value]] of fields.entries()) {
    const whatIf = whatIfs.size === 0 ? link.spec.what_if : parseWhatIf(whatIfs.get(`${key}.what_if`));
    const read =
      link.spec.platform === 'virtual' ? branchFrom(value, i + 1, branches, { ...link, whatIf }) : ON_THREADS;
    if (key !== `course.${i + 1}`)
      errors.push({ field: key, value, allowed: `course.${i + 1}: branches are numbered from 1` });
    else if (typeof read === 'string') errors.push({ field: key, value, allowed: read });
    else branches.push(read);
  }
  const isBehind = behind === undefined || branches.some(({ id }) => String(id) === behind);
  if (!isBehind && errors.length === 0)
    errors.push({ field: BEHIND, value: behind, allowed: placesInWords(branches.length) });
  if (errors.length > 0) return { ok: false, errors };
  const current = branches.find(({ spec }) => isSameRun(spec, link.spec))?.id ?? null;
  return {
    ok: true,
    value: {
      branchTree: { branches, current, behind: behind === undefined ? null : Number(behind) },
    },
  };
}

const placesInWords = (count: number) => (count === 0 ? 'nothing without course.1' : `1 to ${count}`);

const ON_THREADS = 'nothing: only runs on the virtual server have branches';

const WHAT_IF_FORM = 'what_if.costs.…, what_if.latch, what_if.from_s as in a link, percent-encoded';

function faultsOfWhatIfs(whatIfs: ReadonlyMap<string, string>, branches: number): Fault[] {
  return [...whatIfs].flatMap(([field, value]) => {
    if (Number(whatIf.exec(field)![1]) > branches)
      return [{ field, value, allowed: `a branch in this link: ${placesInWords(branches)}` }];
    const isOne = [...new URLSearchParams(value).keys()].every(isWhatIfKey);
    return isOne ? [] : [{ field, value, allowed: WHAT_IF_FORM }];
  });
}

/** Returns undefined if there is no what-if. */
const parseWhatIf = (text: string | undefined): unknown =>
  text === undefined ? undefined : inputOfPairs([...new URLSearchParams(text)]).what_if;

interface BranchLink extends ParsedLink {
  whatIf: unknown;
}

/** Returns the branch, or a text with the allowed values. */
function branchFrom(value: string, id: number, before: readonly Branch[], link: BranchLink): Branch | string {
  const [parentText, atText, design, actions, ...rest] = value.split(';');
  if (actions === undefined || rest.length === 0) return FORM;
  const [parent, atS, name] = [Number(parentText), Number(atText), rest.join(';')];
  const isParent = id === 1 ? parent === 0 : before.some((branch) => branch.id === parent);
  if (!isParent) return id === 1 ? '0 as the parent branch' : `1 to ${id - 1} as the parent branch`;
  if (atText === '' || !(atS >= 0)) return 'a number of seconds, 0 or more';
  if (!isBranchName(name)) return `a name: ${NAME_IN_WORDS}`;
  const spec = specOf(link, design!, actions);
  if (typeof spec === 'string') return spec;
  return { id, name, parent: parent === 0 ? null : parent, atS, spec, seen: null };
}

function withoutWhatIf(spec: RunSpec): RunSpec {
  const asItIs = { ...spec };
  delete asItIs.what_if;
  return asItIs;
}

const listOf = (text: string) => (text === '' ? [] : text.split(','));

function specOf(link: BranchLink, design: string, actions: string): RunSpec | string {
  const { spec, scenario, machine, whatIf } = link;
  const input = {
    ...withoutWhatIf(spec),
    ...(whatIf !== undefined && { what_if: whatIf }),
    design: Object.fromEntries(listOf(design).map((text) => text.split(':'))) as Record<string, string>,
    actions: listOf(actions).map(parseTimedAction),
  };
  const parsed = parseRunSpec(input, [scenario], machine);
  if (parsed.ok) return parsed.value;
  return parsed.errors
    .map(({ field, value, allowed }) => `${field}: not ${value}, but ${allowed}`)
    .join('; ');
}
