// The sources of the workloads that a reader can start with: templates, and public reports.
import { sources as reports } from 'virtual:scenario-texts/report-sources';

const files = import.meta.glob<string>('./templates/*.workload', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const FOLDER = './templates/';
const sources: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([path, source]) => [path.slice(FOLDER.length, -'.workload'.length), source]),
);

export const allTemplates: readonly string[] = [...sources.keys()];

/** Returns undefined for an unknown name. */
export const sourceOfTemplate = (id: string): string | undefined =>
  sources.get(id) ?? (Object.hasOwn(reports, id) ? reports[id] : undefined);
