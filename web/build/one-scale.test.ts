// Checks that each bug has one scale: card, first run, explorer, lesson, Compare, Sweep and the
// reproduction use the same parameters.
import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';

import { all_scenarios } from '../contract/all-scenarios';
import type { Scenario } from '../contract/manifest';
import { defaultRunSpec, type RunSpec } from '../contract/run-spec';
import { inputOfPairs } from '../contract/run-spec-pairs';
import { machine } from '../contract/test-fixtures';
import {
  defaultComparison,
  defaultSweep,
  planComparison,
  planSweep,
} from '../features/experiments/experiment-plan';
import { measuredRunOf } from '../session/measured-run';
import { frontFigures } from '../features/front/front-page';
import { formatFigure } from '../analysis/format';

/** The fields that two runs must share to have the same figures. */
const scaleOf = ({ threads, parameters, server }: Pick<RunSpec, 'threads' | 'parameters' | 'server'>) => ({
  threads,
  parameters,
  server,
});

type PartOfARunSpec = Partial<Omit<RunSpec, 'design'>>;

interface StoredRun {
  spec: PartOfARunSpec;
}
const stored = JSON.parse(
  readFileSync(new URL('../../scenarios/reproduction-results.json', import.meta.url), 'utf8'),
) as {
  scenarios: Record<
    string,
    { runs: Record<string, StoredRun>; figures: { rows: { run: string; label: string }[] } }
  >;
};

describe.each(all_scenarios.map((scenario) => [scenario.manifest.bug, scenario] as const))(
  'bug #%i on the virtual server',
  (_, scenario) => {
    const { manifest, front_run, lesson } = scenario;
    const context = { manifest, machine };
    const runOf = (part: object = {}) => defaultRunSpec(manifest, machine, 'virtual', withoutDesign(part));
    const explorer = runOf();

    test('the card draws runs of the explorer’s parameters', () => {
      for (const { spec } of front_run!.runs) expect(scaleOf(runOf(spec))).toEqual(scaleOf(explorer));
    });

    test('the card’s figures are rows of the reproduction, of runs with the same parameters', () => {
      for (const label of front_run!.figures.here) {
        const { runs, figures } = stored.scenarios[manifest.id]!;
        const row = figures.rows.find((found) => found.label === label)!;
        expect(scaleOf(runOf(runs[row.run]!.spec)), label).toEqual(scaleOf(explorer));
      }
      expect(frontFigures(scenario, front_run!).here).toBe(
        front_run!.figures.here.map((label) => formatFigure(reproduced(scenario, label))).join(' → '),
      );
    });

    test('the first run that the card starts has them', () => {
      expect(scaleOf(runOf(manifest.first_run?.virtual))).toEqual(scaleOf(explorer));
    });

    test('the first run of the lesson has them', () => {
      const tasks = lesson!.steps.flatMap(({ blocks }) => blocks.flatMap((b) => (b.kind === 'do' ? b : [])));
      const first = tasks.find(({ run }) => run !== null)!;
      expect(scaleOf(runOf(inputOfPairs(first.run!)))).toEqual(scaleOf(explorer));
    });

    test('Compare has them, and Sweep but for the clients', () => {
      const compared = planComparison(explorer, defaultComparison, context);
      const swept = planSweep(explorer, defaultSweep, context);
      if (!compared.ok || !swept.ok) throw new Error('no plan');
      for (const { spec } of compared.value.runs) expect(scaleOf(spec)).toEqual(scaleOf(explorer));
      const { threads } = explorer;
      for (const { spec } of swept.value.runs)
        expect(scaleOf({ ...spec, threads })).toEqual(scaleOf(explorer));
      expect(swept.value.counts).toContain(threads);
      expect(measuredRunOf(explorer, manifest, machine).reduced).toEqual({});
    });
  },
);

const reproduced = ({ reproduction }: Scenario, label: string) =>
  reproduction.find((row) => row.label === label)!.here;

/** Removes the design, which differs between views on purpose. */
const withoutDesign = (part: object) =>
  Object.fromEntries(
    Object.entries(part).filter(([field]) => !['design', 'version', 'scenario', 'platform'].includes(field)),
  );
