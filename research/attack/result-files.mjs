// Opens damaged run results: real results of every scenario with changed values, fields or bytes.
// The page must either refuse a file with short errors, or open it and show all of it. Afterwards
// the page must still be able to run.
import assert from 'node:assert/strict';

import fc from 'fast-check';

import { buildPage, buildWasm } from '../../tools/builds.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import { runInNode } from '../../tools/wasm-engine.mjs';
import { faultsOf, openPage, runInPage, withBrowser } from '../bench/browser.mjs';
import { importFromPage } from './page-modules.mjs';

const FAULTS_MAX = 8;
const CHARACTERS_MAX = 4_000;
/** After this many opened files, a page must still complete a run. */
const FILES_UNTIL_RUN = 25;

/** Runs each scenario for some virtual milliseconds, with one step of each kind. */
async function realResults(wasm, manifests) {
  const results = [];
  for (const { id, actions, knobs } of manifests) {
    const [{ id: knob, variants }] = knobs;
    const turn = { at_s: 0.004, knob, variant: variants[1].id };
    const steps = actions.length > 0 ? [{ at_s: 0.002, action: actions[0].id }, turn] : [turn];
    const spec = {
      scenario: id,
      platform: 'virtual',
      duration_s: 0.01,
      interval_s: 0.001,
      events_max: 2e6,
      threads: 8,
    };
    results.push(await runInNode(wasm, { ...spec, actions: steps }));
  }
  return results;
}

const oddValue = fc.oneof(
  fc.constantFrom(null, true, false, 0, -0, -1, 0.5, 5e-324, 1e-9, 1, 2 ** 53, 2 ** 64, 1e19, 1e300, '', '0'),
  fc.constantFrom([], {}, [[]], [null], { __proto__: null }, '\u202e', '\ud800', '\0', '\n', '__proto__'),
  fc.double({ noDefaultInfinity: true, noNaN: true }),
  fc.integer(),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer({ min: 0, max: 3_000 }).map((length) => 'x'.repeat(length)),
  fc.json({ maxDepth: 3 }).map((text) => JSON.parse(text)),
);

/** A path into a result, as an index at each level, and the change to make there. */
const change = fc.record({
  way: fc.array(fc.nat(), { minLength: 1, maxLength: 6 }),
  edit: fc.constantFrom('replace', 'remove', 'repeat', 'rename', 'move', 'scale'),
  value: oddValue,
  times: fc.constantFrom(1, 2, 10, 300, 2_000),
});

function changed(result, { way, edit, value, times }) {
  let parent = result;
  let key = null;
  for (const step of way) {
    const next = key === null ? parent : parent[key];
    if (typeof next !== 'object' || next === null || Object.keys(next).length === 0) break;
    parent = next;
    const keys = Object.keys(parent);
    key = keys[step % keys.length];
  }
  const old = parent[key];
  if (edit === 'replace') parent[key] = structuredClone(value);
  else if (edit === 'remove' && Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (edit === 'remove') delete parent[key];
  else if (edit === 'repeat' && Array.isArray(parent))
    parent.splice(Number(key), 0, ...Array(times).fill(old));
  else if (edit === 'rename' && !Array.isArray(parent)) parent[`${key}${JSON.stringify(value)}`] = old;
  else if (edit === 'move' && Array.isArray(parent)) parent.push(...parent.splice(Number(key), 1));
  else if (edit === 'scale' && typeof old === 'number') parent[key] = old * times * 1e9;
}

const changedResult = (results) =>
  fc
    .tuple(fc.constantFrom(...results), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([text, changes]) => {
      const result = JSON.parse(text);
      for (const one of changes) changed(result, one);
      return JSON.stringify(result);
    });

/** Changes the text: cuts, inserts, replaces. */
const changedText = (results) =>
  fc
    .tuple(
      fc.constantFrom(...results),
      fc.array(
        fc.tuple(
          fc.nat(),
          fc.integer({ min: 0, max: 50 }),
          fc.oneof(oddValue, fc.constantFrom('[', '{', '"', '\\', ',', '-', 'e99')),
        ),
        {
          minLength: 1,
          maxLength: 4,
        },
      ),
    )
    .map(([text, cuts]) =>
      cuts.reduce((now, [place, length, filling]) => {
        const at = place % (now.length + 1);
        const putIn = typeof filling === 'string' ? filling : JSON.stringify(filling);
        return now.slice(0, at) + putIn + now.slice(at + length);
      }, text),
    );

const nested = fc
  .tuple(fc.constantFrom('[', '{"a":', '[{"b":['), fc.integer({ min: 1, max: 200_000 }))
  .map(([piece, count]) => piece.repeat(count));

/** @returns {object | null} the result; null if the page refused the text */
function readOrNamed(page, text) {
  const parsed = page.parseRunResult(text, page.all_scenarios);
  if (parsed.ok) return parsed.value;
  assert.ok(parsed.errors.length > 0 && parsed.errors.length <= FAULTS_MAX, `${parsed.errors.length} faults`);
  for (const sentence of page.describeFaults(parsed.errors)) {
    assert.ok(page.isVisible(sentence), JSON.stringify(sentence));
    assert.ok(sentence.length <= CHARACTERS_MAX, `a sentence of ${sentence.length} characters`);
  }
  return null;
}

function isShown(text, { modules: page }) {
  const result = readOrNamed(page, text);
  if (result === null) return;
  const { manifest } = page.all_scenarios.find((one) => one.manifest.id === result.spec.scenario);
  const shown = page.shownOfResult(result, manifest, { name: 'a.json' });
  const rows = page.historyRowsOf(result);
  assert.equal(rows.length, 2 * result.intervals.length);
  for (const row of rows)
    for (const [name, value] of Object.entries(row))
      assert.ok(value === null || Number.isFinite(value), `${name}: ${value}`);
  for (const line of shown.sysbenchReport ?? []) assert.equal(typeof line, 'string');
  for (const made of [page.intervalCsv(result.intervals), page.collapsedStacks(result.stacks)])
    assert.equal(typeof made, 'string');
  const link = page.formatLink(result.spec);
  assert.ok(
    page.parseLink(link, page.all_scenarios, { cores: 4, platforms: ['threads', 'virtual'] })?.ok,
    link,
  );
}

/** Opens a file in the page, then every tab of the evidence. */
async function isShownInPage(text, { page, faults, opened }) {
  const outcome = await page.evaluate(async (content) => {
    const { openResult, execute, commands, state } = window.latchscope;
    try {
      await openResult(content);
    } catch (error) {
      if (error.name !== 'CommandRefused') return String(error);
      return 'refused';
    }
    const nextFrame = () =>
      new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (const tab of commands.filter((id) => id.startsWith('evidence.') && id !== 'evidence.widen')) {
      await execute(tab);
      await nextFrame();
      if ((document.querySelector('[role=tabpanel]')?.textContent ?? '') === '') return `${tab} is empty`;
    }
    return state().run_state;
  }, text);
  assert.ok(['refused', 'finished'].includes(outcome), outcome);
  assert.deepEqual(faults, []);
  opened.count += 1;
  if (opened.count % FILES_UNTIL_RUN !== 0) return;
  const spec = {
    version: 1,
    scenario: 'undo-read-117533',
    platform: 'virtual',
    threads: 4,
    duration_s: 0.002,
  };
  assert.ok((await runInPage(page, spec)).totals.transactions > 0);
}

export default {
  async withContext(use) {
    const wasm = await buildWasm('virtual');
    await buildPage();
    const results = await realResults(wasm, await readManifests());
    const modules = await importFromPage([
      'contract/run-result-file.ts',
      'session/opened-result.ts',
      'contract/all-scenarios.ts',
      'session/link.ts',
      'analysis/exports/interval-csv.ts',
      'analysis/exports/speedscope.ts',
      'contract/fault.ts',
    ]);
    for (const text of results)
      assert.notEqual(readOrNamed(modules, text), null, 'the page must open results of the engine');
    await withBrowser(async (bench) => {
      const page = await openPage(bench);
      await use({ modules, results, page, faults: faultsOf(page), opened: { count: 0 } });
    });
  },
  attacks: [
    {
      name: 'changed values and fields',
      inputs: 4_000,
      input: ({ results }) => changedResult(results),
      withstands: isShown,
    },
    {
      name: 'changed text',
      inputs: 4_000,
      input: ({ results }) => changedText(results),
      withstands: isShown,
    },
    {
      name: 'nested up to 600,000 deep',
      inputs: 100,
      input: nested,
      withstands: isShown,
    },
    {
      name: 'changed files, opened in Chromium',
      inputs: 150,
      input: ({ results }) => fc.oneof(changedResult(results), changedText(results)),
      withstands: isShownInPage,
    },
  ],
};
