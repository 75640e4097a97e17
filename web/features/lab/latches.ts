// The latches of lab/latches/, which a reader can begin with.
const files = import.meta.glob<string>('../../../lab/latches/**/*.latch', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const FOLDER = 'lab/latches/';
const idOf = (path: string) => path.slice(path.indexOf(FOLDER) + FOLDER.length, -'.latch'.length);

const sources: ReadonlyMap<string, string> = new Map(
  Object.entries(files).map(([path, source]) => [idOf(path), source]),
);

export interface LatchGroup {
  title: string;
  latches: readonly string[];
}

const inFolder = (folder: string) =>
  [...sources.keys()].filter((id) => (id.includes('/') ? id.startsWith(`${folder}/`) : folder === ''));

export const latch_groups: readonly LatchGroup[] = [
  { title: 'Right', latches: inFolder('') },
  { title: 'Right, but somebody may starve', latches: inFolder('starving') },
  { title: 'Wrong: find out why', latches: inFolder('wrong') },
];

/** Undefined: there is none of that name. */
export const sourceOfLatch = (id: string): string | undefined => sources.get(id);
