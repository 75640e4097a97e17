// Has the sources of lab/latches/. Import it lazily: it loads with the lab, and with the compiler.
import type { LatchGallery } from './workload-language/latch-kinds.ts';

const files = import.meta.glob<string>('../../lab/latches/**/*.latch', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const FOLDER = 'lab/latches/';
const nameOf = (path: string) => path.slice(path.indexOf(FOLDER) + FOLDER.length, -'.latch'.length);

const sources: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([path, source]) => [nameOf(path), source]),
);

/** The latches by their names, such as mcs or wrong/abba. */
export const labGallery: LatchGallery = {
  names: [...sources.keys()],
  sourceOf: (name) => sources.get(name),
};
