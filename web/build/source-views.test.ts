import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { ScenarioError } from '../../tools/scenario-files.mjs';
import { readManifests } from '../../tools/scenario-manifests.mjs';
import type { Manifest } from '../contract/manifest';
import type { SourceLine } from '../features/evidence/source-view';
import { coloredLines, extractSourceView } from './source-views.ts';

const root = path.join(import.meta.dirname, '../..');
const manifests = await readManifests(path.join(root, 'scenarios'));
const manifestOf = (id: string) => manifests.find((manifest) => manifest.id === id)!;
const plainText = ({ html }: SourceLine) =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&quot;/g, '"')
    .replace(/&#x27;/g, "'")
    .replace(/&amp;/g, '&');

for (const manifest of manifests) {
  test(`#${manifest.bug}: each variant of each knob has source, word for word as in its file`, async () => {
    const view = await extractSourceView(root, manifest);
    for (const { id, variants } of manifest.knobs) {
      for (const variant of variants) {
        const functions = view[id]![variant.id]!;
        expect(functions.length, variant.id).toBeGreaterThan(0);
        for (const { file, lines } of functions) {
          const text = readFileSync(path.join(root, file), 'utf8').split('\n');
          for (const line of lines) expect(plainText(line)).toBe(text[line.number - 1]);
        }
      }
    }
  });
}

async function linesOf(scenario: string, knob: string, variant: string): Promise<SourceLine[]> {
  const view = await extractSourceView(root, manifestOf(scenario));
  return view[knob]![variant]!.flatMap(({ lines }) => lines);
}
const lineWith = (lines: SourceLine[], text: string) => lines.find((line) => plainText(line).includes(text))!;

test('a line that takes a latch has the names that telemetry has, and a call frame has none', async () => {
  const lines = await linesOf('fil-mutex-69276', 'tablespace_lookup', 'global_mutex');
  const site = { latch: 'fil_system->mutex', function: 'fil_space_get_version' };
  expect(lineWith(lines, 'MutexGuard guard(shard().mutex, kGetVersion)')).toMatchObject({
    sites: [site],
    isRun: true,
  });
  expect(lineWith(lines, 'Frame frame(kGetVersion)').sites).toBeUndefined();
  expect(lines.flatMap(({ sites = [] }) => sites).length).toBe(6);
});

test('a line that counts names the counter, and how many lines share it', async () => {
  const lines = await linesOf('aio-wakeup-95491', 'handler_wakeup', 'wake_all');
  expect(lineWith(lines, 'Counter::handler_wake_calls')).toMatchObject({ counters: ['handler_wake_calls'] });
  const waits = lineWith(
    await linesOf('aio-wakeup-95491', 'slot_wait', 'event_broadcast'),
    'Counter::slot_waits)',
  );
  expect(waits).toMatchObject({ counters: ['slot_waits'], places: 2 });
});

test('cases of other variants are not run, and do not share the counts', async () => {
  const lines = await linesOf('undo-read-117533', 'purge_latch', 'rw_lock');
  expect(lineWith(lines, 'sharded_latch_.s_lock(kLatchSGet)')).toMatchObject({ isRun: false });
  expect(lineWith(lines, 'sharded_latch_.s_lock(kLatchSGet)').sites).toBeUndefined();
  const own = lineWith(lines, '      latch_.s_lock(kLatchSGet)');
  expect(own).toMatchObject({ isRun: true, sites: [{ latch: 'purge_sys->latch' }] });
  expect(own.places).toBeUndefined();
});

test('lines between two anchors are not run', async () => {
  const lines = await linesOf('binlog-purge-104615', 'unlink_under', 'no_lock');
  expect(lineWith(lines, 'unlink_registered(names, stop);').isRun).toBe(false);
  expect(lineWith(lines, 'lock_purge_.try_lock(kPurgeMutex)')).toMatchObject({
    isRun: true,
    sites: [{ latch: 'LOCK_purge' }],
  });
});

test('lines from one anchor through another are not run, and those around them are', async () => {
  const lines = await linesOf('binlog-purge-104615', 'rotate_when_index_busy', 'wait');
  const standing = lines
    .filter((line) => /wait_for_prep_xids\(\);|return false;|lock_index_\./.test(plainText(line)))
    .map((line) => [plainText(line).trim(), line.isRun]);
  expect(standing).toContainEqual(['if (lock_index_.try_lock(kNewFileIndex)) {', false]);
  expect(standing).toContainEqual(['return false;', false]);
  expect(standing).toContainEqual(['wait_for_prep_xids();', true]);
  expect(standing).toContainEqual(['lock_index_.lock(kNewFileIndex);', true]);
});

test('a color that spans several lines starts again in each', () => {
  const [first, second] = coloredLines('/* one\n two */ int x;');
  expect(first).toBe('<span class="hljs-comment">/* one</span>');
  expect(second).toContain('<span class="hljs-comment"> two */</span>');
});

describe('a source view that does not fit is refused with file, field, value and what is allowed:', () => {
  let copy: string;
  beforeAll(() => {
    copy = mkdtempSync(path.join(tmpdir(), 'latchscope-source-views-'));
    cpSync(path.join(root, 'scenarios'), path.join(copy, 'scenarios'), { recursive: true });
    for (const room of ['latch', 'lab', 'server', 'workload']) {
      mkdirSync(path.join(copy, 'wasm-engine'), { recursive: true });
      cpSync(path.join(root, 'wasm-engine', room), path.join(copy, 'wasm-engine', room), { recursive: true });
    }
  });
  afterAll(() => {
    rmSync(copy, { recursive: true });
  });

  type NotRun = Record<'not_run', { after?: string; from?: string }[]>;
  type Entry = { file: string; function: string } & Partial<NotRun>;
  interface Document {
    knobs: Record<string, Record<string, Entry[]>>;
  }
  async function problemsAfter(manifest: Manifest, change: (document: Document) => void): Promise<string[]> {
    const file = path.join('scenarios', manifest.id, 'source-view.json');
    const document = JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Document;
    change(document);
    writeFileSync(path.join(copy, file), JSON.stringify(document));
    try {
      await extractSourceView(copy, manifest);
      return [];
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error;
      return error.problems;
    }
  }

  const filMutex = manifestOf('fil-mutex-69276');
  const lookup = (document: Document) => document.knobs.tablespace_lookup!;
  const cases: [name: string, change: (document: Document) => void, expected: RegExp][] = [
    [
      'a variant without source',
      (document) => delete lookup(document).sharded_mutex,
      /: knobs\.tablespace_lookup\.sharded_mutex: got nothing; allowed: the functions that implement it/,
    ],
    [
      'a variant that the knob has not',
      (document) => (lookup(document).best = lookup(document).atomic_word!),
      /: knobs\.tablespace_lookup: got "best"; allowed: one of global_mutex, /,
    ],
    [
      'a file outside the engine',
      (document) => (lookup(document).atomic_word![0]!.file = 'web/main.tsx'),
      /: knobs\.tablespace_lookup\.atomic_word\[0\]\.file: got "web\/main\.tsx"; allowed: a source file of latch/,
    ],
    [
      'a file that is not there',
      (document) => (lookup(document).atomic_word![0]!.file = 'wasm-engine/server/fil/none.cc'),
      /\.atomic_word\[0\]\.file: got "wasm-engine\/server\/fil\/none\.cc"; allowed: a file of the engine/,
    ],
    [
      'a function that is not there',
      (document) => (lookup(document).atomic_word![0]!.function = 'AtomicWordLookup::none'),
      /\.function: got "AtomicWordLookup::none"; allowed: a name that .*lookup_pins\.cc defines exactly once; it defines it 0 times/,
    ],
    [
      'two beginnings',
      (document) =>
        (lookup(document).atomic_word![0]!.not_run = [{ after: 'end(read);', from: 'end(read);' }]),
      /\.not_run\[0\]\.from: got "end\(read\);"; allowed: only without after/,
    ],
    [
      'an anchor that occurs twice',
      (document) => (lookup(document).atomic_word![0]!.not_run = [{ after: 'return DbErr::' }]),
      /\.not_run\[0\]\.after: got "return DbErr::"; allowed: text that occurs in exactly one line of AtomicWordLookup::begin; it occurs in 2/,
    ],
  ];
  test.each(cases)('%s', async (_name, change, expected) => {
    const problems = await problemsAfter(filMutex, change);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^scenarios\/fil-mutex-69276\/source-view\.json: /);
    expect(problems[0]).toMatch(expected);
  });
});
