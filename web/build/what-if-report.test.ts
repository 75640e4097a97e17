// Checks that the page and the command line report the same figures of a what-if, byte for byte.
// Each uses its own runs and its own engine, which computes the report.
import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

import { small_server } from '../contract/small-server-fixtures';
import { framesAsTasks } from '../engine-client/test-fixtures/frames-as-tasks';
import { loadVirtualEngineInNode } from '../engine-client/test-fixtures/virtual-engine-in-node';
import { parseLink } from '../session/link';
import { pageForTest, allLinkFields } from '../shell/page-fixture';

framesAsTasks();

const parameters = Object.entries(small_server['fil-mutex-69276']!);
const SHORT = [
  'scenario=fil-mutex-69276&platform=virtual&threads=16&duration_s=0.01&interval_s=1',
  ...parameters.map(([name, value]) => `parameters.${name}=${value}`),
].join('&');

/** Returns the page's JSON export. */
async function ofPage(link: string): Promise<string> {
  const { session, studies } = pageForTest({
    loaders: { threads: () => new Promise<never>(() => undefined), virtual: loadVirtualEngineInNode },
  });
  const { scenarios, machine } = session.store.getState();
  const target = parseLink(`#v=1&view=what_if&${SHORT}&${link}`, scenarios, machine, allLinkFields);
  if (target?.ok !== true) throw new Error(JSON.stringify(target));
  session.place(target.value);
  studies.openLink(target.value.ofFeatures);
  const { reportJson, failed } = await studies.start();
  expect(failed).toEqual([]);
  return reportJson!;
}

const ofCommandLine = (...options: string[]) =>
  execFileSync(
    'node',
    [
      ...['tools/cli.mjs', 'latchscope', 'what-if', '--scenario', 'fil-mutex-69276', '--threads', '16'],
      ...['--seconds', '0.01', '--json', '-', ...options],
      ...parameters.flatMap(([name, value]) => ['--param', `${name}=${value}`]),
    ],
    { encoding: 'utf8' },
  ).trim();

test.each([
  ['a profile', 'study.seeds=2&study.top=2&study.from_s=0.004', '--profile --seeds 2 --top 2 --from 0.004'],
  [
    'a curve of a latch',
    'study=curve&study.latch=fil_system->mutex&study.scale=0,100&study.seeds=3',
    '--latch fil_system->mutex --scale 0,100 --seeds 3',
  ],
  [
    'a latch that is handed over for free',
    'study=curve&study.latch=fil_system->mutex&study.hand_over=free&study.seeds=1',
    '--latch fil_system->mutex --hand-over-free',
  ],
  [
    'a site',
    'study=curve&study.latch=fil_system->mutex&study.site=fil_space_get_version&study.scale=0&study.seeds=1',
    '--latch fil_system->mutex --site fil_space_get_version --scale 0',
  ],
  ['a cost', 'study=curve&study.cost=pause_ps&study.seeds=1', '--cost pause_ps'],
])('%s', async (_, link, options) => {
  expect(await ofPage(link)).toBe(ofCommandLine(...options.split(' ')));
});
