// Runs the page's default comparison of each bug, with its own plan, engine and verdict: it must
// show which design is faster.
import { expect, test } from 'vitest';

import { all_scenarios } from '../contract/all-scenarios';
import { framesAsTasks } from '../engine-client/test-fixtures/frames-as-tasks';
import { loadVirtualEngineInNode } from '../engine-client/test-fixtures/virtual-engine-in-node';
import { parseLink } from '../session/link';
import { allLinkFields, pageForTest } from '../shell/page-fixture';

/** The other bugs take minutes, so only the long tests run them. */
const quick = ['fil-mutex-69276'];
const IS_LONG = process.env.LATCHSCOPE_LONG === '1';

framesAsTasks();

async function offeredComparison(scenario: string) {
  const { session, experiments } = pageForTest({
    scenarios: all_scenarios,
    loaders: { threads: () => new Promise<never>(() => undefined), virtual: loadVirtualEngineInNode },
  });
  const { scenarios, machine } = session.store.getState();
  const target = parseLink(
    `#v=1&view=compare&scenario=${scenario}&platform=virtual`,
    scenarios,
    machine,
    allLinkFields,
  );
  if (target?.ok !== true) throw new Error(JSON.stringify(target));
  session.place(target.value);
  return experiments.start('comparison');
}

const compared = all_scenarios
  .map(({ manifest }) => manifest.id)
  .filter((id) => IS_LONG || quick.includes(id));

test.each(compared)('%s', async (scenario) => {
  const { verdict, sentence, plan } = await offeredComparison(scenario);
  process.stdout.write(`${scenario}, ${String(plan.repeats)} repeats: ${sentence}\n`);
  expect(verdict, sentence).toBe('faster');
});
