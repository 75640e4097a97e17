// What the Server dialog asks for, as typed: sockets, cores, threads, costs and clients. Costs are
// in nanoseconds here, and in picoseconds in a run spec.
import type { Draft, Field } from '../../contract/draft';
import type { Fault } from '../../contract/fault';
import type { Scenario } from '../../contract/manifest';
import type { Machine } from '../../contract/run-spec';
import type { Family } from '../../contract/scenario-files/plausible-servers';
import { namedServer, server_fields, valuesOfServer } from '../../contract/servers';
import type { ServerField } from '../../contract/servers-file';
import { checkDraft, fieldOf } from '../../session/draft';
import {
  costFields,
  costsOfFamily,
  processorTitle,
  serverDraft,
  type ServerValues,
} from '../../session/plausible-servers';

export interface ServerForm {
  /** The named server that the reader's values change. */
  basedOn: string;
  /** By field of the server, as typed. */
  values: Readonly<Record<string, string>>;
  clients: string;
}

/** What another part of the page suggests. Everything else comes from the next run. */
export interface SuggestedServer {
  /** Id of a processor family. `values` come after its costs. */
  family?: string;
  values?: ServerValues;
  clients?: number;
}

const PS_PER_NS = 1000;

/** 3800 is "3.8". */
export const nsOfPs = (ps: number): string => String(ps / PS_PER_NS);

const WRITTEN_NS = /^(\d+)(?:\.(\d{1,3}))?$/;

/** "3.8" is 3800; null: not a number of nanoseconds with at most three decimals. */
export function psOfNs(text: string): number | null {
  const [, whole, part = ''] = WRITTEN_NS.exec(text.trim()) ?? [];
  if (whole === undefined) return null;
  const ps = Number(whole) * PS_PER_NS + Number(part.padEnd(3, '0'));
  return Number.isSafeInteger(ps) ? ps : null;
}

const textOf = ({ unit }: ServerField, value: Field): string =>
  unit === 'ps' && typeof value === 'number' ? nsOfPs(value) : String(value);

const valueOf = ({ unit }: ServerField, text: string): Field =>
  unit === 'ps' ? (psOfNs(text) ?? text) : fieldOf(text);

const textsOf = (values: Readonly<Record<string, Field>>) =>
  Object.fromEntries(server_fields.map((field) => [field.id, textOf(field, values[field.id]!)]));

/** Returns the form of the next run; on real threads, only its clients count. */
export function formOf({ server, threads }: Draft, usualServer: string): ServerForm {
  const { based_on: basedOn, own } = server ?? { based_on: usualServer, own: {} };
  return { basedOn, values: textsOf({ ...valuesOfServer(basedOn), ...own }), clients: String(threads) };
}

export function withSuggestion(
  form: ServerForm,
  { family, values = {}, clients }: SuggestedServer,
  families: readonly Family[],
): ServerForm {
  const named = families.find(({ id }) => id === family);
  const ofFamily = named === undefined ? form : withFamily(form, named);
  const given = server_fields.filter(({ id }) => values[id] !== undefined);
  const suggested = given.map((field) => [field.id, textOf(field, values[field.id]!)] as const);
  return {
    ...ofFamily,
    values: { ...ofFamily.values, ...Object.fromEntries<string>(suggested) },
    clients: clients === undefined ? form.clients : String(clients),
  };
}

/** Returns the form of a named server, with its sockets and cores. */
export const withServer = (form: ServerForm, id: string): ServerForm => ({
  ...form,
  basedOn: id,
  values: textsOf(valuesOfServer(id)),
});

/** Returns the form with the costs of a processor family. Sockets, cores and threads stay. */
export const withFamily = (form: ServerForm, family: Family): ServerForm => ({
  ...form,
  values: { ...form.values, ...costTextsOf(family, form.basedOn) },
});

function costTextsOf(family: Family, basedOn: string): Record<string, string> {
  const costs = costsOfFamily(family, basedOn);
  return Object.fromEntries(costFields.map((field) => [field.id, textOf(field, costs[field.id]!)]));
}

/** The choices of the field for the processor. */
export type Processor = { kind: 'family' | 'server'; id: string } | { kind: 'own'; hasOwnCosts: boolean };

/** Returns which choice has the values of the form. */
export function processorOf(form: ServerForm, families: readonly Family[]): Processor {
  const { basedOn, values } = form;
  const has = (expected: Record<string, string>, fields: readonly ServerField[]) =>
    fields.every(({ id }) => values[id] === expected[id]);
  const named = textsOf(valuesOfServer(basedOn));
  if (has(named, server_fields)) return { kind: 'server', id: basedOn };
  const family = families.find((candidate) => has(costTextsOf(candidate, basedOn), costFields));
  if (family !== undefined) return { kind: 'family', id: family.id };
  return { kind: 'own', hasOwnCosts: !has(named, costFields) };
}

export const basisTitle = ({ basedOn }: ServerForm) => processorTitle(namedServer(basedOn)?.title ?? basedOn);

/** Returns what the form changes in the next run. */
export function changeOf({ basedOn, values, clients }: ServerForm, { platform }: Draft): Partial<Draft> {
  const threads = fieldOf(clients);
  if (platform !== 'virtual') return { threads };
  const typed = server_fields.map((field) => [field.id, valueOf(field, values[field.id]!)] as const);
  return { threads, server: serverDraft(basedOn, Object.fromEntries<Field>(typed)) };
}

interface NextRun {
  draft: Draft;
  scenarios: readonly Scenario[];
  machine: Machine;
}

/** Returns why the next run cannot have the form's values. Costs are in nanoseconds. */
export function formFaults(form: ServerForm, { draft, scenarios, machine }: NextRun): Fault[] {
  const changed = checkDraft({ ...draft, ...changeOf(form, draft) }, scenarios, machine);
  return changed.draftErrors.filter(({ field }) => isOfForm(field)).map((fault) => inUnitsOf(form, fault));
}

const isOfForm = (field: string) =>
  field === 'threads' || field === 'server' || /^(server|what_if\.costs)\./.test(field);

function inUnitsOf({ values }: ServerForm, fault: Fault): Fault {
  const field = server_fields.find(({ id }) => fault.field === `server.${id}`);
  if (field === undefined) return fault;
  const value = values[field.id]!;
  if (field.unit !== 'ps') return { ...fault, value };
  return { ...fault, value, allowed: `a number from ${rangeInWords(field)}` };
}

/** 1 to 100 ns */
export function rangeInWords({ unit, min, max }: ServerField): string {
  const [scale, words] = unit === 'ps' ? [PS_PER_NS, 'ns'] : [1, unit === 'percent' ? '%' : unit];
  const numberOf = (value: number) => (value / scale).toLocaleString('en', { maximumFractionDigits: 3 });
  return `${numberOf(min)} to ${numberOf(max)} ${words}`;
}

/**
 * Returns the values of a form.
 * REQUIRES: formFaults has no fault of the server.
 */
export const valuesOf = ({ values }: ServerForm): ServerValues =>
  Object.fromEntries(server_fields.map((field) => [field.id, Number(valueOf(field, values[field.id]!))]));
