import { describe, expect, test } from 'vitest';

import {
  defaultSettings,
  experimentPairs,
  type ExperimentSettings,
} from '../features/experiments/experiment-link';
import { allLinkFields } from './page-fixture';
import { firstRunSpec } from '../session/first-run';
import { compiledSources } from '../session/compiled-sources';
import { LINKED_SOURCE_MAX } from '../contract/run-spec-pairs';
import { scenarioOfWorkload } from '../contract/workload-manifest';
import type { WorkloadProgram } from '../contract/workload-program';
import { firstRunLink, formatLink, parseLink, sourcesInLink } from '../session/link';
import { defaultRunSpec, type RunSpec } from '../contract/run-spec';
import type { View } from '../session/store';
import { server_fields, valuesOfServer } from '../contract/servers';
import { fil_mutex, machine, scenarios } from '../contract/test-fixtures';

const spec = defaultRunSpec(fil_mutex.manifest, machine);
const parse = (link: string) => parseLink(link, scenarios, machine, allLinkFields);
const linkOf = (view: View, settings: ExperimentSettings) =>
  formatLink(spec, view, { besideTheRun: [], others: experimentPairs(view, settings) });

describe('a link carries the whole run spec', () => {
  test.each<[string, Partial<RunSpec>]>([
    ['the default', {}],
    ['another design', { design: { tablespace_lookup: 'single_lookup_pin' } }],
    ['a duration', { duration_s: 12.5 }],
    ['other numbers', { threads: 64, seed: 2 ** 40, parameters: { ...spec.parameters, tables: 1 } }],
    ['another interval', { interval_s: 0.5 }],
    ['very little time', { duration_s: 0.000001, actions: [{ at_s: 5e-324, action: 'one_table' }] }],
    ['the largest seed', { seed: Number.MAX_SAFE_INTEGER }],
    [
      'a script',
      {
        actions: [
          { at_s: 2, action: 'one_table' },
          { at_s: 3.5, knob: 'tablespace_lookup', variant: 'atomic_word' },
          { at_s: 3.5, action: 'many_tables' },
        ],
      },
    ],
  ])('%s', (_, change) => {
    const changed = { ...spec, ...change };
    expect(parse(formatLink(changed))).toMatchObject({
      ok: true,
      value: { view: 'explorer', spec: changed },
    });
  });
});

describe('a link carries a run on the virtual server', () => {
  const virtual = defaultRunSpec(fil_mutex.manifest, machine, 'virtual');
  test.each<[string, Partial<RunSpec>]>([
    ['the default', {}],
    ['another server', { server: 'xeon-2020' }],
    ['a server of one’s own', { server: { based_on: 'xeon-2020', pause_ps: 9000, sockets: 4 } }],
    [
      'what is supposed',
      {
        what_if: {
          costs: { pause_ps: 50, wake_latency_ps: 0 },
          latches: [
            { latch: 'fil_system->mutex', site: 'fil_space_acquire', section_percent: 20 },
            { latch: 'buf_pool->mutex', hand_over: 'free', line: 'still' },
          ],
        },
      },
    ],
    ['a thousand clients', { threads: 1024, duration_s: 0.05, interval_s: 0.002, events_max: 7e9 }],
  ])('%s', (_, change) => {
    const changed = { ...virtual, ...change };
    expect(parse(formatLink(changed))).toMatchObject({
      ok: true,
      value: { view: 'explorer', spec: changed },
    });
  });
});

describe('a page that is not isolated', () => {
  const alone = { ...machine, platforms: ['virtual'] as const };

  test('opens a link to real threads on the virtual server, with its defaults', () => {
    const link =
      'v=1&scenario=fil-mutex-69276&platform=threads&design.tablespace_lookup=atomic_word&threads=9&seed=4';
    expect(parseLink(link, scenarios, alone, allLinkFields)).toMatchObject({
      value: {
        spec: {
          platform: 'virtual',
          threads: 54,
          seed: 4,
          design: { tablespace_lookup: 'atomic_word' },
          server: 'snb-ep-2013',
        },
      },
    });
  });

  test('still names what is no platform at all', () => {
    const parsed = parseLink('v=1&scenario=fil-mutex-69276&platform=quantum', scenarios, alone);
    expect(parsed).toMatchObject({ errors: [{ field: 'platform', value: 'quantum', allowed: 'virtual' }] });
  });
});

test('a link can be read, and written by hand', () => {
  expect(formatLink({ ...spec, actions: [{ at_s: 2, action: 'one_table' }] })).toMatch(
    /^#v=1&scenario=fil-mutex-69276&design\.tablespace_lookup=global_mutex&design\.buffer_pool_mutex=one_mutex&design\.spin_delay_generator=global&platform=threads&threads=8&.*&at=2:one_table$/,
  );
  expect(parse('v=1&scenario=fil-mutex-69276&threads=12')).toMatchObject({
    value: { spec: { threads: 12, seed: 1 } },
  });
});

describe('a link carries the view and what it is set to', () => {
  const withSettings = (view: View, change: Partial<ExperimentSettings>) => ({
    ...defaultSettings,
    ...change,
    view,
  });
  test.each<[string, ReturnType<typeof withSettings>]>([
    ['a comparison by default', withSettings('compare', {})],
    [
      'a comparison',
      withSettings('compare', {
        comparisonSettings: { with: { tablespace_lookup: 'sharded_mutex' }, repeats: 7, from_s: 0.5 },
      }),
    ],
    ['a sweep by default', withSettings('sweep', {})],
    [
      'a sweep',
      withSettings('sweep', {
        sweepSettings: {
          designs: ['original', 'tablespace_lookup.sharded_mutex'],
          counts: '1,2,4',
          repeats: 3,
          from_s: 1,
        },
      }),
    ],
  ])('%s', (_, { view, ...settings }) => {
    const link = linkOf(view, settings);
    expect(parse(link)).toMatchObject({ ok: true, value: { view, spec, ofFeatures: settings } });
  });

  test('that can be read', () => {
    const settings = {
      ...defaultSettings,
      sweepSettings: { designs: ['original', 'fixed'], counts: '1, 2, 4', repeats: 2, from_s: null },
    };
    expect(linkOf('sweep', settings)).toMatch(
      /^#v=1&view=sweep&scenario=.*&designs=original,fixed&counts=1,2,4&repeats=2$/,
    );
  });

  test('on a page without threads, but for what was chosen for real threads', () => {
    const alone = { ...machine, platforms: ['virtual'] as const };
    const link =
      'v=1&view=sweep&scenario=fil-mutex-69276&platform=threads&designs=fixed&counts=1,2&repeats=4';
    expect(parseLink(link, scenarios, alone, allLinkFields)).toMatchObject({
      value: {
        spec: { platform: 'virtual' },
        ofFeatures: { sweepSettings: { designs: ['fixed'], counts: null, repeats: 4 } },
      },
    });
  });
});

describe('a link may change one value of a server', () => {
  const bug = '#v=1&scenario=fil-mutex-69276';

  test.each(server_fields)('$id, of the bug’s server or of a named one', ({ id, min, max }) => {
    // One CPU per socket leaves room for every number of sockets, cores and threads.
    const room = ['sockets', 'cores_per_socket', 'threads_per_core'].filter((other) => other !== id);
    const others = Object.fromEntries(room.map((other) => [other, 1]));
    const pairs = room.map((other) => `&server.${other}=1`).join('');
    for (const value of [min, max]) {
      expect(parse(`${bug}&platform=virtual${pairs}&server.${id}=${value}`)).toMatchObject({
        value: { spec: { server: { based_on: 'snb-ep-2013', ...others, [id]: value } } },
      });
      expect(parse(`${bug}&server=xeon-2020${pairs}&server.${id}=${value}`)).toMatchObject({
        value: { spec: { platform: 'virtual', server: { based_on: 'xeon-2020', [id]: value } } },
      });
    }
    const alone = valuesOfServer('snb-ep-2013')[id]!;
    expect(parse(`${bug}&server.${id}=${alone}`)).toMatchObject({
      value: { spec: { platform: 'virtual', server: { based_on: 'snb-ep-2013', [id]: alone } } },
    });
    for (const bad of [min - 1, max + 1, 'x', '']) {
      const refused = parse(`${bug}&server.${id}=${bad}`);
      expect(refused?.ok === false && refused.errors).toContainEqual({
        field: `server.${id}`,
        value: String(bad),
        allowed: `an integer from ${min} to ${max}`,
      });
    }
  });

  test('without a platform, it is for the virtual server, on each page', () => {
    for (const platforms of [['threads', 'virtual'], ['virtual', 'threads'], ['virtual']] as const)
      expect(
        parseLink(`${bug}&server.sockets=2`, scenarios, { ...machine, platforms }, allLinkFields),
      ).toMatchObject({
        value: { spec: { platform: 'virtual', server: { based_on: 'snb-ep-2013', sockets: 2 } } },
      });
    expect(parse(`${bug}&platform=threads&server.sockets=2`)).toMatchObject({
      errors: [{ field: 'server', allowed: 'omitted: virtual only' }],
    });
    expect(parse(`${bug}&seed=2`)).toMatchObject({ value: { spec: { platform: 'threads' } } });
  });

  test('but not to an unknown one, or to more CPUs than a server has', () => {
    expect(parse(`${bug}&server.l4_ps=1`)).toMatchObject({
      errors: [{ field: 'server.l4_ps', value: '1', allowed: expect.stringContaining('pause_ps') as string }],
    });
    expect(parse(`${bug}&server.cores_per_socket=128`)).toMatchObject({
      errors: [
        {
          field: 'server.cores_per_socket',
          value: '128',
          allowed: 'at most 64: a server has at most 256 CPUs',
        },
      ],
    });
    expect(parse(`${bug}&server=x&server.sockets=2`)).toMatchObject({
      errors: [
        { field: 'server.based_on', value: 'x', allowed: expect.stringContaining('xeon-2020') as string },
      ],
    });
  });
});

test('a field of the lab is a link by itself, and other fields keep what they say', () => {
  expect(parse('#lab.exercise=05-ticket')).toMatchObject({
    value: { view: 'lab', ofFeatures: { linkedLab: { exercise: '05-ticket' } } },
  });
  expect(parse('#lab.latch=mcs&scenario=undo-read-117533')).toMatchObject({
    value: { view: 'lab', spec: { scenario: 'undo-read-117533' } },
  });
  expect(parse('#lab.latch=mcs&view=sweep')).toMatchObject({ ok: false, errors: [{ field: 'lab.latch' }] });
  expect(parse('#lab.exercise=5')).toMatchObject({
    ok: false,
    errors: [{ field: 'lab.exercise', value: '5' }],
  });
});

test('no link is no error', () => {
  expect([parse(''), parse('#')]).toEqual([null, null]);
});

const START = 'v=1&scenario=fil-mutex-69276';

test.each<[string, string, { field: string; value: string; allowed: RegExp }]>([
  [
    'nonsense',
    '#hello',
    {
      field: 'hello',
      value: '',
      allowed:
        /only v, view, lesson, presenter, lab.latch, lab.exercise, lab.source, workload.template, workload.source, waits.latch, run, scenario/,
    },
  ],
  ['no version', '#scenario=fil-mutex-69276', { field: 'v', value: 'missing', allowed: /^1$/ }],
  [
    'a newer version',
    '#v=9&scenario=fil-mutex-69276',
    { field: 'v', value: '9', allowed: /newer Latchscope/ },
  ],
  ['an older version', '#v=0&scenario=fil-mutex-69276', { field: 'v', value: '0', allowed: /^1$/ }],
  ['a broken version', '#v=one', { field: 'v', value: 'one', allowed: /^1$/ }],
  ['an unknown scenario', '#v=1&scenario=x', { field: 'scenario', value: 'x', allowed: /fil-mutex-69276/ }],
  ['an unknown key', `#${START}&colour=red`, { field: 'colour', value: 'red', allowed: /only / }],
  ['a key twice', `#${START}&seed=1&seed=2`, { field: 'seed', value: '2', allowed: /once/ }],
  ['an empty number', `#${START}&threads=`, { field: 'threads', value: '', allowed: /integer/ }],
  ['a broken number', `#${START}&threads=8x`, { field: 'threads', value: '8x', allowed: /1 to 64/ }],
  ['an odd number', `#${START}&threads=0x10`, { field: 'threads', value: '0x10', allowed: /1 to 64/ }],
  [
    'an unknown variant',
    `#${START}&design.tablespace_lookup=magic`,
    { field: 'design.tablespace_lookup', value: 'magic', allowed: /atomic_word/ },
  ],
  [
    'a parameter out of range',
    `#${START}&parameters.tables=65`,
    { field: 'parameters.tables', value: '65', allowed: /1 to 64/ },
  ],
  [
    'a reserved name as parameter',
    `#${START}&parameters.__proto__=1`,
    { field: 'parameters.__proto__', value: '1', allowed: /tables/ },
  ],
  [
    'a value of the server out of range',
    '#v=1&scenario=fil-mutex-69276&platform=virtual&server=xeon-2020&server.pause_ps=100001',
    { field: 'server.pause_ps', value: '100001', allowed: /^an integer from 0 to 100000$/ },
  ],
  [
    'a server on real threads',
    `#${START}&platform=threads&server=xeon-2020`,
    { field: 'server', value: 'xeon-2020', allowed: /^omitted: virtual only$/ },
  ],
  ['a broken action', `#${START}&at=soon`, { field: 'actions[0].at_s', value: 'soon', allowed: /0 to 3600/ }],
  [
    'an unknown variant of the second design',
    `#${START}&view=compare&with.tablespace_lookup=magic`,
    { field: 'with.tablespace_lookup', value: 'magic', allowed: /one of global_mutex/ },
  ],
  [
    'an unknown knob of the second design',
    `#${START}&view=compare&with.x=1`,
    {
      field: 'with.x',
      value: '1',
      allowed: /^one of tablespace_lookup, buffer_pool_mutex, spin_delay_generator$/,
    },
  ],
  [
    'a second design outside of a comparison',
    `#${START}&view=sweep&with.tablespace_lookup=atomic_word`,
    { field: 'with.tablespace_lookup', value: 'atomic_word', allowed: /^only with view=compare$/ },
  ],
  [
    'too many repeats',
    `#${START}&view=compare&repeats=51`,
    { field: 'repeats', value: '51', allowed: /an integer from 1 to 50/ },
  ],
  [
    'repeats in the explorer',
    `#${START}&repeats=5`,
    { field: 'repeats', value: '5', allowed: /^only with view=compare or view=sweep$/ },
  ],
  [
    'an unknown design of a sweep',
    `#${START}&view=sweep&designs=original,magic`,
    {
      field: 'designs',
      value: 'magic',
      allowed: /one of original, reporters_server, mysql_8_0, fixed, tablespace_lookup\.release_by_pointer/,
    },
  ],
  [
    'a broken thread count',
    `#${START}&view=sweep&counts=1,2,two`,
    { field: 'counts', value: 'two', allowed: /integers from 1 to 64, separated by commas/ },
  ],
  [
    'too many threads',
    `#${START}&view=sweep&counts=1,65`,
    { field: 'counts', value: '65', allowed: /integers from 1 to 64/ },
  ],
  [
    'a measured part that is empty',
    `#${START}&view=compare&duration_s=2&from_s=2`,
    { field: 'from_s', value: '2', allowed: /from 0 to below 2, the duration/ },
  ],
  ['an odd start', `#${START}&run=yes`, { field: 'run', value: 'yes', allowed: /^1, or no such field$/ }],
  [
    'a start outside of the explorer',
    `#${START}&view=sweep&run=1`,
    { field: 'run', value: '1', allowed: /^no such field with view=sweep$/ },
  ],
  [
    'an action with a piece too many',
    `#${START}&at=1:one_table:x`,
    { field: 'at', value: '1:one_table:x', allowed: /^seconds:action, or seconds:knob:variant$/ },
  ],
  [
    'a turn of a knob with a piece too many',
    `#${START}&at=1:tablespace_lookup:atomic_word:more`,
    { field: 'at', value: '1:tablespace_lookup:atomic_word:more', allowed: /^seconds:action/ },
  ],
  [
    'an unknown action with a piece too many',
    `#${START}&at=1:dance:x`,
    {
      field: 'actions[0].knob',
      value: 'dance',
      allowed: /^one of tablespace_lookup, buffer_pool_mutex, spin_delay_generator$/,
    },
  ],
  [
    'a turn of a knob with other signs',
    `#${START}&at=1:knob=variant=more`,
    { field: 'actions[0].action', value: 'knob=variant=more', allowed: /one_table/ },
  ],
  [
    'an unknown variant',
    `#${START}&at=1:tablespace_lookup:faster`,
    { field: 'actions[0].variant', value: 'faster', allowed: /atomic_word/ },
  ],
  [
    'a step out of order',
    `#${START}&at=2:one_table&at=1.5:many_tables`,
    {
      field: 'actions[1].at_s',
      value: '1.5',
      allowed: /^at least 2: actions are sorted by time$/,
    },
  ],
  [
    'a step after the end of the run',
    `#${START}&duration_s=3&at=2:one_table&at=3.5:many_tables`,
    {
      field: 'actions[1].at_s',
      value: '3.5',
      allowed: /^at most 3, the end of the run \(duration_s\)$/,
    },
  ],
  [
    'more actions than the engine takes',
    `#${START}${'&at=1:one_table'.repeat(257)}`,
    { field: 'actions', value: expect.any(String) as string, allowed: /^a list of at most 256 actions$/ },
  ],
  [
    'a number without end',
    `#${START}&threads=${'9'.repeat(400)}`,
    { field: 'threads', value: '9'.repeat(400), allowed: /1 to 64/ },
  ],
  [
    'a number that JavaScript would round',
    `#${START}&seed=9007199254740993`,
    { field: 'seed', value: '9007199254740993', allowed: /to 9007199254740991$/ },
  ],
  [
    'seeds of repeats beyond the largest',
    `#${START}&view=compare&seed=9007199254740991&repeats=3`,
    { field: 'seed', value: '9007199254740991', allowed: /to 9007199254740989, with 3 repeats$/ },
  ],
  ['a reserved name', `#${START}&__proto__=1`, { field: '__proto__', value: '1', allowed: /only / }],
  [
    'a reserved name as knob',
    `#${START}&design.__proto__=x`,
    {
      field: 'design.__proto__',
      value: 'x',
      allowed: /^one of tablespace_lookup, buffer_pool_mutex, spin_delay_generator$/,
    },
  ],
  [
    'broken escapes',
    `#${START}&threads=%zz%ff%00`,
    { field: 'threads', value: '%zz\uFFFD\0', allowed: /1 to 64/ },
  ],
  [
    'an unknown latch of the lab',
    `#${START}&view=lab&lab.latch=nosuch`,
    { field: 'lab.latch', value: 'nosuch', allowed: /^one of .*\bmcs, .*\bwrong\/abba\b/ },
  ],
  [
    'no latch of the lab',
    `#${START}&view=lab&lab.latch=`,
    { field: 'lab.latch', value: '', allowed: /^one of .*\bmcs\b/ },
  ],
  [
    'a reserved name as latch of the lab',
    `#${START}&view=lab&lab.latch=constructor`,
    { field: 'lab.latch', value: 'constructor', allowed: /^one of .*\bmcs\b/ },
  ],
  [
    'an unknown exercise of the lab',
    `#${START}&view=lab&lab.exercise=99-nosuch`,
    { field: 'lab.exercise', value: '99-nosuch', allowed: /^one of 01-lost-update, .*05-ticket/ },
  ],
  [
    'words in place of a latch of the catalogue',
    '#waits.latch=Trx%20sys',
    { field: 'waits.latch', value: 'Trx sys', allowed: /id of a latch in the catalogue, such as trx-sys/ },
  ],
  [
    'a latch of the catalogue in another view',
    `#${START}&view=compare&waits.latch=trx-sys`,
    { field: 'waits.latch', value: 'trx-sys', allowed: /^only with view=waits$/ },
  ],
  [
    'an unknown latch of a curve',
    `#${START}&platform=virtual&view=what_if&study=curve&study.latch=nosuch`,
    { field: 'study.latch', value: 'nosuch', allowed: /^one of .*fil_system->mutex/ },
  ],
  [
    'a latch of another bug for a curve',
    `#${START}&platform=virtual&view=what_if&study=curve&study.latch=LOCK_log`,
    { field: 'study.latch', value: 'LOCK_log', allowed: /^one of .*fil_system->mutex/ },
  ],
  ...(['threads', 'virtual'] as const).flatMap(
    (platform): [string, string, { field: string; value: string; allowed: RegExp }][] => [
      [
        `an unknown cost of a curve, ${platform}`,
        `#${START}&platform=${platform}&view=what_if&study=curve&study.cost=nosuch`,
        { field: 'study.cost', value: 'nosuch', allowed: /^one of work_percent/ },
      ],
      [
        `an unknown site of a curve, ${platform}`,
        `#${START}&platform=${platform}&view=what_if&study=curve&study.latch=fil_system->mutex&study.site=nosuch`,
        { field: 'study.site', value: 'nosuch', allowed: /^one of .*fil_node_complete_io/ },
      ],
    ],
  ),
  [
    'an unknown latch of a curve on real threads',
    `#${START}&platform=threads&view=what_if&study=curve&study.latch=nosuch`,
    { field: 'study.latch', value: 'nosuch', allowed: /^one of .*fil_system->mutex/ },
  ],
  [
    'a link of a million characters',
    `#${START}&at=${'1'.repeat(1_000_000)}`,
    { field: 'link', value: '1000032 characters', allowed: /32768/ },
  ],
  [
    'a huge link',
    `#${START}&at=${'1'.repeat(33_000)}`,
    { field: 'link', value: '33032 characters', allowed: /32768/ },
  ],
])('%s is an error that names field, value and what is allowed', (_, link, { field, value, allowed }) => {
  const parsed = parse(link);
  const errors = parsed?.ok === false ? parsed.errors : [];
  expect(errors).toContainEqual({ field, value, allowed: expect.stringMatching(allowed) as string });
});

describe('a link that starts by itself', () => {
  test('is the first run if it says nothing of the run', () => {
    const first = firstRunSpec(fil_mutex.manifest, machine);
    expect(parse(firstRunLink(fil_mutex.manifest.id))).toMatchObject({
      ok: true,
      value: { view: 'explorer', starts: 'first_run', spec: first },
    });
  });

  test('is the run that it says', () => {
    const link = '#v=1&scenario=fil-mutex-69276&platform=virtual&threads=9&run=1';
    expect(parse(link)).toMatchObject({ ok: true, value: { starts: 'as_linked', spec: { threads: 9 } } });
  });

  test('is not what the page writes', () => {
    const spec = firstRunSpec(fil_mutex.manifest, machine);
    expect(new URLSearchParams(formatLink(spec).slice(1)).has('run')).toBe(false);
    const parsed = parse(formatLink(spec));
    expect(parsed).toMatchObject({ ok: true, value: { spec } });
    expect(parsed).not.toHaveProperty('value.starts');
  });
});

describe('a link carries the reader’s latch, as its source', () => {
  const source = 'word a; // ä & = # +\n';
  const program = { functions: {} };
  const withLatch = {
    ...defaultRunSpec(fil_mutex.manifest, machine, 'virtual'),
    design: { ...spec.design, tablespace_lookup: 'yours' },
    latch: { source, program },
  };

  test('which whoever opens it compiles', () => {
    const link = formatLink(withLatch);
    expect(sourcesInLink(link)).toEqual({ latch: source });
    const opened = parseLink(link, scenarios, machine, allLinkFields, { latch: program });
    expect(opened).toMatchObject({ ok: true, value: { spec: withLatch } });
    expect(sourcesInLink(formatLink(spec))).toEqual({});
  });

  test('also where the page has other platforms', () => {
    const threadsAlone = { ...machine, platforms: ['threads'] as const };
    const opened = parseLink(formatLink(withLatch), scenarios, threadsAlone, allLinkFields, {
      latch: program,
    });
    expect(opened).toMatchObject({ ok: true, value: { spec: { platform: 'threads', latch: { source } } } });
  });

  test('up to a limit; a longer one has to be given on as a file', () => {
    const long = { ...withLatch, latch: { source: 'x'.repeat(LINKED_SOURCE_MAX + 1), program } };
    expect(sourcesInLink(formatLink(long))).toEqual({});
    expect(parse(formatLink(long))).toMatchObject({
      errors: [{ field: 'design.tablespace_lookup', value: 'yours' }],
    });
  });

  test('and errors of the source are those of the link', async () => {
    const wrong = await compiledSources({ latch: 'word a;\nvoid enter() { a = 1; }\nvoid exit() { }\n' });
    expect(wrong.errors).toEqual([
      {
        field: 'latch, line 2',
        value: 'void enter() { a = 1; }',
        allowed: expect.stringMatching(/^a is a word/) as string,
      },
    ]);
    const right = await compiledSources({ latch: 'void enter() { }\nvoid exit() { }\n' });
    expect(right.errors).toBeUndefined();
    expect(right.compiled.latch).toBeDefined();
  });
});

describe('a link carries the reader’s workload, as its source', () => {
  const source =
    'workload "one"; latch m : pthread_mutex; // ä & = # +\nthread t[2] { transaction { hold m { } } }';
  const shared = async (text: string) => {
    const { compiled } = await compiledSources({ workload: text });
    const program = compiled.workload as WorkloadProgram;
    const { manifest } = scenarioOfWorkload({ program, source: text });
    return { compiled, spec: { ...defaultRunSpec(manifest, machine, 'virtual'), threads: 3 } };
  };

  test('and opens it on another page', async () => {
    const { spec: ofWorkload } = await shared(source);
    const link = formatLink(ofWorkload, 'sweep');
    expect(link).toContain('scenario=workload&');
    expect(sourcesInLink(link)).toEqual({ workload: source });
    const { compiled } = await compiledSources(sourcesInLink(link));
    const opened = parseLink(link, scenarios, machine, allLinkFields, compiled);
    expect(opened).toMatchObject({ ok: true, value: { view: 'sweep', spec: ofWorkload } });
  });

  test('also where the page has other platforms', async () => {
    const { spec: ofWorkload, compiled } = await shared(source);
    const threadsAlone = { ...machine, platforms: ['threads'] as const };
    const opened = parseLink(formatLink(ofWorkload), scenarios, threadsAlone, allLinkFields, compiled);
    expect(opened).toMatchObject({ value: { spec: { platform: 'threads', workload: { source } } } });
  });

  test('without it, the link says what is missing', () => {
    expect(parse('#v=1&scenario=workload')).toMatchObject({
      errors: [{ field: 'workload', value: 'missing', allowed: 'an object with source, program' }],
    });
  });

  test('a bug has none', async () => {
    const { compiled } = await shared(source);
    const link = `#v=1&scenario=fil-mutex-69276&workload=x`;
    expect(parseLink(link, scenarios, machine, allLinkFields, compiled)).toMatchObject({
      errors: [{ field: 'workload', allowed: 'omitted: only of scenario workload' }],
    });
  });

  test('and errors of the source are those of the link', async () => {
    const { errors } = await compiledSources({ workload: 'workload "x";\nlatch m : mutex;\n' });
    expect(errors?.[0]).toMatchObject({ field: 'workload, line 2', value: 'latch m : mutex;' });
  });
});

test('a latch of the catalogue is a link by itself', () => {
  const [short, long] = [
    '#waits.latch=trx-sys',
    '#v=1&view=waits&scenario=fil-mutex-69276&waits.latch=trx-sys',
  ];
  for (const link of [short, long])
    expect(parse(link)).toMatchObject({
      ok: true,
      value: { view: 'waits', ofFeatures: { linkedLatch: 'trx-sys' } },
    });
});
