// Opens hostile links. Each link must open the run that it describes, or the page must describe its
// errors in short sentences. The link that the page then writes must open the same run.
import assert from 'node:assert/strict';

import fc from 'fast-check';

import { importFromPage } from './page-modules.mjs';
import { variantsOf } from './run-specs.mjs';

/** Limits of the error text for a link that cannot be opened. */
const SENTENCES_MAX = 9;
const CHARACTERS_MAX = 4_000;

const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '%',
    '%zz',
    '%ff%fe',
    '%00',
    '%F0%9F',
    '\u202e\u2066',
    '\ud800',
    '\n\r\t',
    '-0',
    '1e400',
    '0x10',
    'NaN',
    'Infinity',
    '5e-324',
    '9007199254740993',
    '9'.repeat(500),
    '.5',
    '+1',
  ),
  fc.integer({ min: 1, max: 60 }).map((length) => '🔒'.repeat(length)),
);

const keyOf = ({ manifest }) =>
  fc.oneof(
    fc.constantFrom(
      ...['v', 'view', 'lesson', 'presenter', 'run', 'scenario', 'platform', 'server', 'threads', 'seed'],
      ...['duration_s', 'interval_s', 'events_max', 'at', 'designs', 'counts', 'repeats', 'from_s'],
      ...['design.', 'parameters.', 'server.', 'with.', 'server.sockets', 'server.pause_ps'],
      ...manifest.knobs.flatMap(({ id }) => [`design.${id}`, `with.${id}`]),
      ...manifest.parameters.map(({ id }) => `parameters.${id}`),
    ),
    oddText,
    fc
      .tuple(fc.constantFrom('design.', 'parameters.', 'server.', 'with.'), oddText)
      .map((parts) => parts.join('')),
  );

const valueOf = ({ manifest }) => {
  const names = [
    ...manifest.knobs.flatMap(({ id, variants }) => [id, ...variants.map((variant) => variant.id)]),
    ...manifest.actions.map(({ id }) => id),
    ...Object.keys(manifest.designs),
  ];
  const piece = fc.oneof(fc.constantFrom(...names), oddText, fc.double().map(String));
  return fc.oneof(
    fc.constantFrom('1', 'threads', 'virtual', 'explorer', 'compare', 'sweep', 'xeon-2020', ...names),
    fc.integer().map(String),
    fc.double().map(String),
    oddText,
    fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(':')),
    fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(',')),
  );
};

/** Mostly known names and values, some of them escaped. */
const fragmentOf = (scenario) => {
  const pair = fc
    .tuple(keyOf(scenario), valueOf(scenario), fc.boolean())
    .map(([key, value, isEscaped]) =>
      isEscaped && value.isWellFormed() && key.isWellFormed()
        ? `${encodeURIComponent(key)}=${encodeURIComponent(value)}`
        : `${key}=${value}`,
    );
  const pairs = fc.array(pair, { maxLength: 12 });
  const begin = fc.constantFrom(
    '',
    `v=1&scenario=${scenario.manifest.id}&`,
    `#v=1&scenario=${scenario.manifest.id}&`,
  );
  return fc.tuple(begin, pairs).map(([start, rest]) => start + rest.join('&'));
};

const hugeFragment = fc
  .tuple(
    oddText.filter((text) => text !== ''),
    fc.constantFrom(7_000, 8_192, 8_193, 1_000_000),
    fc.constantFrom('', 'v=1&at=', 'at='),
  )
  .map(
    ([text, characters, begin]) =>
      begin + text.repeat(Math.ceil(characters / text.length)).slice(0, characters),
  );

const manyFields = fc
  .tuple(fc.integer({ min: 1, max: 4_000 }), fc.constantFrom('a', 'at', 'design.x', 'server.x', '__proto__'))
  .map(([count, key]) => `v=1&${Array.from({ length: count }, () => `${key}=`).join('&')}`);

function numberWithin({ min, max }) {
  return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max));
}

function secondsWithin({ min, max }) {
  return fc.oneof(fc.double({ min, max, noNaN: true }), fc.constantFrom(min, max));
}

/** Generates run specs with every possible field. */
function specOf(page, { manifest }, platform) {
  const design = fc.record(
    Object.fromEntries(manifest.knobs.map((knob) => [knob.id, fc.constantFrom(...variantsOf(knob))])),
  );
  const parameters = fc.record(
    Object.fromEntries(manifest.parameters.map((field) => [field.id, numberWithin(field)])),
  );
  const { max } = page.DURATION_S;
  const atS = fc.oneof(
    fc.double({ min: 0, max, noNaN: true, minExcluded: true }),
    fc.constantFrom(5e-324, 1e-7, max),
  );
  const turn = fc
    .constantFrom(...manifest.knobs.flatMap((knob) => variantsOf(knob).map((variant) => [knob.id, variant])))
    .chain(([knob, variant]) =>
      fc.record({ at_s: atS, knob: fc.constant(knob), variant: fc.constant(variant) }),
    );
  const action = fc.record({
    at_s: atS,
    action: fc.constantFrom('', ...manifest.actions.map(({ id }) => id)),
  });
  const actions = fc.array(
    fc.oneof(
      turn,
      action.filter((one) => one.action !== ''),
    ),
    { maxLength: 64, size: 'max' },
  );
  const own = fc.record(
    Object.fromEntries(
      page.server_fields
        .filter(({ id }) => !/socket/.test(id))
        .map((field) => [field.id, numberWithin(field)]),
    ),
    { requiredKeys: [] },
  );
  const basedOn = fc.constantFrom(...page.named_servers.map(({ id }) => id));
  const server = fc
    .tuple(basedOn, own)
    .map(([id, values]) => (Object.keys(values).length === 0 ? id : { based_on: id, ...values }));
  const spec = fc.record({
    version: fc.constant(1),
    scenario: fc.constant(manifest.id),
    platform: fc.constant(platform),
    design,
    parameters,
    actions,
    threads: numberWithin(page.threadsRange(manifest, platform)),
    seed: fc.oneof(fc.maxSafeNat(), fc.constant(page.SEED_MAX - 50)),
    duration_s: fc.option(secondsWithin(page.DURATION_S)),
    interval_s: secondsWithin(page.INTERVAL_S),
    ...(platform === 'virtual' ? { server, events_max: fc.integer({ min: 1, max: 1e12 }) } : {}),
  });
  return spec.map(({ actions, interval_s, ...rest }) => ({
    ...rest,
    interval_s: Math.max(interval_s, (rest.duration_s ?? 0) / page.engine_limits.intervals_max),
    actions: withinTheRun(actions, rest.duration_s),
  }));
}

/** Sorts and filters actions as a run spec requires. */
const withinTheRun = (actions, durationS) =>
  actions.filter(({ at_s }) => at_s <= (durationS ?? Infinity)).sort((a, b) => a.at_s - b.at_s);

function isNamed(page, errors) {
  const sentences = page.describeFaults(errors);
  assert.ok(errors.length > 0, 'a refusal names a fault');
  assert.ok(sentences.length <= SENTENCES_MAX, `${sentences.length} sentences`);
  for (const sentence of sentences) {
    assert.ok(page.isVisible(sentence), JSON.stringify(sentence));
    assert.ok(sentence.length <= CHARACTERS_MAX, `a sentence of ${sentence.length} characters`);
  }
  for (const { allowed } of errors) assert.notEqual(allowed, '');
}

/**
 * Asserts that the link opens and that the page's own link then opens the same run, or that the
 * errors are described.
 */
function holds([fragment, machine], { page }) {
  const fields = page.allFeatures.flatMap(({ link }) => link ?? []);
  const parsed = page.parseLink(fragment, page.all_scenarios, machine, fields);
  if (parsed === null) return;
  if (!parsed.ok) {
    isNamed(page, parsed.errors);
    return;
  }
  const link = page.linkShown(stateOf(page, parsed.value, machine), fields);
  const again = page.parseLink(link, page.all_scenarios, machine, fields);
  assert.ok(again?.ok, `${link} ${JSON.stringify(again?.errors)}`);
  assert.deepEqual(again.value.spec, parsed.value.spec);
  assert.equal(page.linkShown(stateOf(page, again.value, machine), fields), link);
}

/** Returns the page state that a link opens. */
function stateOf({ all_scenarios, initialState }, { view, spec, ofFeatures }, machine) {
  const { lessonStep, isPresenting, ...settings } = ofFeatures;
  return {
    ...initialState,
    ...settings,
    ...{ view, machine, draftSpec: spec, draftErrors: [] },
    scenario: all_scenarios.find(({ manifest }) => manifest.id === spec.scenario),
    lesson: lessonStep === null ? null : { step: lessonStep },
    presenter: { is_on: isPresenting, cues_done: 0 },
  };
}

const ANY_MACHINE = { cores: 4, platforms: ['threads', 'virtual'] };
const machines = fc.constantFrom(
  ANY_MACHINE,
  { cores: 64, platforms: ['virtual'] },
  { cores: 1, platforms: [] },
);

export default {
  async withContext(use) {
    const page = await importFromPage([
      'session/link.ts',
      'session/store.ts',
      'shell/page.ts',
      'contract/run-spec.ts',
      'contract/servers.ts',
      'contract/all-scenarios.ts',
      'contract/fault.ts',
      'contract/engine-limits.ts',
    ]);
    const initialState = page
      .createExplorerStore({
        scenarios: page.all_scenarios,
        machine: ANY_MACHINE,
        slices: Object.assign({}, ...page.allFeatures.map(({ slice }) => slice)),
      })
      .getState();
    await use({ page: { ...page, initialState }, scenario: fc.constantFrom(...page.all_scenarios) });
  },
  attacks: [
    {
      name: 'known and unusual fields and values',
      inputs: 20_000,
      input: ({ scenario }) => fc.tuple(scenario.chain(fragmentOf), machines),
      withstands: holds,
    },
    {
      name: 'random text',
      inputs: 10_000,
      input: fc.tuple(fc.string({ unit: 'binary', maxLength: 300 }), machines),
      withstands: holds,
    },
    {
      name: 'up to a million characters or 4,000 fields',
      inputs: 300,
      input: fc.tuple(fc.oneof(hugeFragment, manyFields), machines),
      withstands: holds,
    },
    {
      name: 'run specs written as links and read back',
      inputs: 2_000,
      input: ({ page, scenario }) =>
        fc
          .tuple(scenario, fc.constantFrom(...ANY_MACHINE.platforms))
          .chain(([one, platform]) => specOf(page, one, platform)),
      withstands: (wanted, { page }) => {
        const parsed = page.parseRunSpec(wanted, page.all_scenarios, ANY_MACHINE);
        assert.ok(parsed.ok, JSON.stringify(parsed.errors));
        const link = page.formatLink(parsed.value);
        const opened = page.parseLink(link, page.all_scenarios, ANY_MACHINE);
        assert.ok(opened?.ok, JSON.stringify(opened?.errors));
        assert.deepEqual(opened.value.spec, parsed.value);
      },
    },
  ],
};
