// Calls the members of window.latchscope in Chromium, in random order, many at once, with valid and
// invalid arguments. After each burst every promise must settle, and a plain run on the virtual
// server must end and be shown.
import assert from 'node:assert/strict';

import fc from 'fast-check';

import { buildPage } from '../../tools/builds.mjs';
import { brokenInvariants } from '../../tools/native-engine.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import { faultsOf, openPage, withBrowser } from '../bench/browser.mjs';

const CALLS_MAX = 120;
/**
 * A promise that takes longer counts as never settling: the page stops waiting for its slowest
 * worker after half a minute.
 */
const SETTLE_MS = 120_000;

/**
 * Values that are never a valid argument. The page creates them by name, since most cannot be sent
 * to it.
 */
const STRANGE_THINGS = [
  'nothing',
  'symbol',
  'bigint',
  'function',
  'promise',
  'circular',
  'throwing_toString',
  'throwing_getter',
  'throwing_proxy',
  'throwing_toJSON',
  'huge_text',
  'deep_array',
  'null_prototype',
];
const strange = fc.constantFrom(...STRANGE_THINGS).map((thing) => ({ thing }));
const nameOfEveryObject = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
);
const text = fc.oneof(nameOfEveryObject, fc.string(), fc.string({ unit: 'grapheme' }));
const json = fc.oneof(text, fc.jsonValue(), fc.double()).map((value) => ({ value: value ?? null }));
const wrong = fc.oneof(strange, json);
const right = (value) => fc.constant({ value });

const isShort = { threads: 4, duration_s: 0.004, interval_s: 0.002 };

/** Generates all calls for this scenario. */
function callsOf({ id, knobs, designs, actions, parameters }) {
  const spec = fc
    .record(
      {
        version: fc.constant(1),
        scenario: fc.constant(id),
        platform: fc.constant('virtual'),
        design: fc.constantFrom(...Object.keys(designs), '__proto__'),
        seed: fc.nat(),
        parameters: fc.record(
          Object.fromEntries(parameters.map((one) => [one.id, fc.constantFrom(one.min, one.default)])),
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: ['version', 'scenario', 'platform'] },
    )
    .map((some) => ({ ...isShort, events_max: 20_000, ...some }));
  const broken = fc
    .tuple(spec, fc.constantFrom('version', 'scenario', 'design', 'threads', 'actions', 'server', 'x'), wrong)
    .map(([whole, field, other]) => ({ fields: { ...whole }, field, other }));
  const specOrWrong = fc.oneof({ weight: 4, arbitrary: spec.map((value) => ({ value })) }, broken, wrong);
  const plan = fc
    .tuple(spec, fc.record({ with: fc.constantFrom(...Object.keys(designs), '__proto__') }))
    .map(([whole, more]) => ({ value: { ...whole, ...more, repeats: 1 } }));
  const sweep = spec.map((whole) => ({
    value: { ...whole, design: 'original', counts: [1, 2], repeats: 1 },
  }));
  const call = (member, ...given) => fc.tuple(...given).map((args) => ({ member, given: args }));
  const moment = fc.oneof(
    fc.record({ events_back: fc.nat({ max: 3_000 }) }),
    fc.record({ events: fc.nat({ max: 30_000 }) }),
    fc.record({ run_ns: fc.nat({ max: 4_000_000 }) }),
  );
  const idOf = (all) => fc.constantFrom(...all.map((one) => ({ value: one.id })));
  const knob = fc.constantFrom(
    ...knobs.flatMap((one) => one.variants.map((variant) => [{ value: one.id }, { value: variant.id }])),
  );
  return [
    { weight: 6, arbitrary: call('run', specOrWrong) },
    { weight: 2, arbitrary: call('compare', fc.oneof(plan, wrong)) },
    { weight: 2, arbitrary: call('sweep', fc.oneof(sweep, wrong)) },
    { weight: 4, arbitrary: call('stop') },
    { weight: 3, arbitrary: call('pause') },
    { weight: 3, arbitrary: call('resume') },
    { weight: 3, arbitrary: knob.map((given) => ({ member: 'setKnob', given })) },
    { weight: 1, arbitrary: call('setKnob', wrong, wrong) },
    { weight: 2, arbitrary: call('fire', fc.oneof(...(actions.length > 0 ? [idOf(actions)] : []), wrong)) },
    { weight: 2, arbitrary: call('openRun', specOrWrong) },
    { weight: 2, arbitrary: call('openScenario', fc.oneof(right(id), wrong)) },
    { weight: 1, arbitrary: call('openPlatform', fc.oneof(right('virtual'), wrong)) },
    { weight: 1, arbitrary: call('openResult', wrong) },
    {
      weight: 3,
      arbitrary: call(
        'goTo',
        fc.oneof(
          moment.map((value) => ({ value })),
          wrong,
        ),
      ),
    },
    { weight: 1, arbitrary: call('keepMoments', fc.oneof(right(0), right(256), wrong)) },
    // Chosen by index, since the commands differ between bugs.
    { weight: 5, arbitrary: fc.nat().map((place) => ({ member: 'execute', given: [], place })) },
    { weight: 1, arbitrary: call('execute', wrong) },
    { weight: 2, arbitrary: call('idle') },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom('state', 'snapshot', 'scenario', 'resultText')
        .chain((member) => call(member)),
    },
    {
      weight: 4,
      arbitrary: fc.integer({ min: 1, max: 5 }).map((frames) => ({ member: 'wait', given: [], frames })),
    },
  ];
}

/** Rare calls, because each loads another engine. */
const rareCalls = [
  { member: 'failForTest', given: [] },
  { member: 'openPlatform', given: [{ value: 'threads' }] },
];

const burstOf = (manifest) =>
  fc.array(fc.oneof(...callsOf(manifest), { weight: 1, arbitrary: fc.constantFrom(...rareCalls) }), {
    minLength: 20,
    maxLength: CALLS_MAX,
    size: 'max',
  });

/** Runs in the page: starts all calls of a burst, and records unsettled calls in `window.burst`. */
async function beginBurst(calls) {
  const makeThing = {
    nothing: () => undefined,
    symbol: () => Symbol('id'),
    bigint: () => 7n,
    function: () => () => 'original',
    promise: () => Promise.resolve('original'),
    circular: () => {
      const circle = {};
      circle.circle = circle;
      return circle;
    },
    throwing_toString: () => ({
      toString() {
        throw new Error('toString');
      },
    }),
    throwing_getter: () => ({
      get version() {
        throw new Error('getter');
      },
    }),
    throwing_proxy: () =>
      new Proxy(
        {},
        {
          get() {
            throw new Error('proxy');
          },
          ownKeys() {
            throw new Error('proxy');
          },
        },
      ),
    throwing_toJSON: () => ({
      version: 7,
      toJSON() {
        throw new Error('toJSON');
      },
    }),
    huge_text: () => 'x'.repeat(5_000_000),
    deep_array: () => {
      let deep = [];
      for (let i = 0; i < 20_000; i += 1) deep = [deep];
      return deep;
    },
    null_prototype: () => Object.assign(Object.create(null), { version: 1 }),
  };
  const argumentOf = ({ thing, value, fields, field, other }) => {
    if (thing !== undefined) return makeThing[thing]();
    return fields === undefined ? value : { ...fields, [field]: argumentOf(other) };
  };
  // Omits commands that open a browser dialog, save a file, reload the page or turn off single-key
  // shortcuts.
  const isLeftOut = /^(page\.reload|link\.copy|result\.open|export\.|presenter\.fullscreen|.*\.download_)/;
  const burst = { unsettled: [], wrong: [] };
  window.burst = burst;
  for (const { member, given, place, frames } of calls) {
    if (member === 'wait') {
      for (let i = 0; i < frames; i += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
      continue;
    }
    const commands = window.latchscope.commands.filter((id) => !isLeftOut.test(id));
    const args = place === undefined ? given.map(argumentOf) : [commands[place % commands.length]];
    const name = place === undefined ? member : `${member} ${args[0]}`;
    burst.unsettled.push(name);
    const settled = () => burst.unsettled.splice(burst.unsettled.indexOf(name), 1);
    const refused = (error) => {
      settled();
      const isKnown = ['CommandRefused', 'EngineFailure'].includes(error?.name);
      if (!isKnown || error.message === '') burst.wrong.push(`${name}: ${String(error)}`);
    };
    try {
      Promise.resolve(window.latchscope[member](...args)).then(settled, refused);
    } catch (error) {
      settled();
      burst.wrong.push(`${name} threw: ${String(error)}`);
    }
  }
}

/**
 * Runs in the page: stops all activity repeatedly until every call has settled. Then sets
 * `window.burst.is_over`.
 */
function endWhatGoesOn() {
  const { burst, latchscope } = window;
  const end = async () => {
    while (burst.unsettled.length > 0) {
      await latchscope.execute('batch.cancel').catch(() => undefined);
      await latchscope.stop().catch(() => undefined);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    // No promise waits for a run that a button started.
    await latchscope.stop().catch(() => undefined);
    await latchscope.idle().catch(() => undefined);
    burst.is_over = true;
  };
  void end();
}

const plainRun = { version: 1, scenario: 'fil-mutex-69276', platform: 'virtual', ...isShort };

async function withstandsBurst(page, calls) {
  await page.evaluate(beginBurst, calls);
  try {
    await page.evaluate(endWhatGoesOn);
    await page.waitForFunction(() => window.burst.is_over, undefined, { timeout: SETTLE_MS });
  } catch {
    const seen = await page.evaluate(() => [window.burst.unsettled, window.latchscope.state().run_state]);
    assert.fail(`never settled: ${seen[0].join(', ')}; the run is ${seen[1]}`);
  }
  assert.deepEqual(await page.evaluate(() => window.burst.wrong), []);
  const result = await page.evaluate((spec) => window.latchscope.run(spec), plainRun);
  assert.deepEqual(brokenInvariants(result), []);
  // A burst may leave the lab open, which does not show the run.
  await page.evaluate(() => window.latchscope.execute('view.explorer'));
  await page.waitForSelector('[data-run-state="finished"]', { state: 'attached', timeout: SETTLE_MS });
  assert.deepEqual(page.faults.splice(0), []);
}

/**
 * Provides pages for the bursts. A page that has failed is discarded, and the next burst starts
 * with a new one, even while a failure is being shrunk.
 */
function pages(bench) {
  let page = null;
  const fresh = async () => {
    const opened = await openPage({
      ...bench,
      url: `${bench.url}#v=1&scenario=fil-mutex-69276&platform=virtual`,
    });
    return Object.assign(opened, { faults: faultsOf(opened) });
  };
  return {
    async withPage(use) {
      page ??= await fresh();
      const used = page;
      page = null;
      try {
        await use(used);
        page = used;
      } finally {
        if (page === null) await used.context().close();
      }
    },
  };
}

export default {
  async withContext(use) {
    await buildPage();
    const manifests = await readManifests();
    await withBrowser((bench) => use({ manifests, ...pages(bench) }));
  },
  attacks: [
    {
      name: 'calls of window.latchscope, up to 120 in a burst',
      inputs: 40,
      input: ({ manifests }) => fc.constantFrom(...manifests).chain(burstOf),
      withstands: (calls, { withPage }) => withPage((page) => withstandsBurst(page, calls)),
    },
  ],
};
