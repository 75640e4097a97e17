// Servers that a reader's server may be like: processor families with their measured costs.
import type { Field, ServerDraft } from '../contract/draft';
import type { Family } from '../contract/scenario-files/plausible-servers';
import { named_servers, server_fields, valuesOfServer } from '../contract/servers';
import type { ServerField } from '../contract/servers-file';

/** Values of a server by field, costs in picoseconds as in a run spec. */
export type ServerValues = Readonly<Record<string, number>>;

/** Which value of each range a family's server has. */
export type PlaceInRanges = 'low' | 'middle' | 'high';

const shapeIds = ['sockets', 'cores_per_socket', 'threads_per_core'];
const isOfShape = ({ id }: ServerField) => shapeIds.includes(id);
export const shapeFields = server_fields.filter(isOfShape);
export const costFields = server_fields.filter((field) => !isOfShape(field));

/** Returns a server with these values: those that differ from the named server are its own. */
export function serverDraft(basedOn: string, values: Readonly<Record<string, Field>>): ServerDraft {
  const named = valuesOfServer(basedOn);
  const own = Object.entries(values).filter(([id, value]) => value !== named[id]);
  return { based_on: basedOn, own: Object.fromEntries(own) };
}

/** Returns the costs of a family. Costs that it does not state are those of the named server. */
export function costsOfFamily(
  { values, ranges }: Family,
  basedOn: string,
  place: PlaceInRanges = 'middle',
): ServerValues {
  const base = valuesOfServer(basedOn);
  return Object.fromEntries(
    costFields.map((field) => {
      const { id } = field;
      // A processor whose family states no complexes has one per socket, however many its cores.
      const unstated = id === 'cores_per_complex' ? field.default : Number(base[id]);
      return [id, values[id] ?? valueIn(ranges[id], place) ?? unstated];
    }),
  );
}

function valueIn(range: readonly number[] | undefined, place: PlaceInRanges): number | undefined {
  if (range === undefined) return undefined;
  const sorted = range.toSorted((a, b) => a - b);
  if (place !== 'middle') return sorted.at(place === 'low' ? 0 : -1);
  const half = (sorted.length - 1) / 2;
  return Math.round((sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2);
}

/**
 * Returns the families that differ in more than their number of threads, cores and in the time of
 * work.
 */
export function distinctFamilies(families: readonly Family[]): Family[] {
  const [basedOn] = named_servers.map(({ id }) => id);
  const signatures = families.map((family) =>
    JSON.stringify({ ...costsOfFamily(family, basedOn!), work_percent: null }),
  );
  return families.filter((_, place) => signatures.indexOf(signatures[place]!) === place);
}

/** Returns a server's title up to its numbers of cores. */
export const processorTitle = (title: string) => title.replace(/, (\d.*|both threads of each core)$/, '');
