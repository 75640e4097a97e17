// Tests the files that a run on the virtual server can be saved to. If the program or library for a
// file format is available, it must be able to read the file.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, extname, join } from 'node:path';

import { brokenRules } from './axe';
import { HistogramLogReader } from 'hdr-histogram-js';
import papaparse from 'papaparse';

import type { Download, Page } from '@playwright/test';
import type { RunResult } from '../web/contract/run-result';
import { expect, test, type Explorer } from './explorer';
import { dropFile } from './files';

const LINK = '#v=1&scenario=undo-read-117533&platform=virtual';
const spec = {
  version: 1,
  scenario: 'undo-read-117533',
  platform: 'virtual',
  threads: 8,
  duration_s: 0.03,
  interval_s: 0.005,
  parameters: { rows: 1000 },
  actions: [{ at_s: 0.005, action: 'update_k' }],
};
const NAME_WITHOUT_ENDING = 'latchscope-117533-original-virtual';

interface SavedFile {
  name: string;
  bytes: Buffer;
  text: string;
}

async function contentOf(download: Download): Promise<SavedFile> {
  const bytes = readFileSync(await download.path());
  return { name: download.suggestedFilename(), bytes, text: bytes.toString('utf8') };
}

/** Saves a file through its command. */
async function save(page: Page, format: string): Promise<SavedFile> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.evaluate((id) => window.latchscope.execute(id), `export.${format}`),
  ]);
  return contentOf(download);
}

/** The output of the command line for this spec. A test of the command line compares them. */
const ofCommandLine = JSON.parse(
  readFileSync(join(import.meta.dirname, '../scenarios/sysbench-output.json'), 'utf8'),
) as { spec: object; output: string[] };

test(
  'the sysbench output of a run, live or from its file, equals that of the command line byte for byte',
  { tag: '@chromium' },
  async ({ explorer, page }) => {
    await explorer.open('#v=1&scenario=fil-mutex-69276&platform=virtual');
    await explorer.run({ version: 1, ...ofCommandLine.spec });
    const printed = ofCommandLine.output.join('\n');
    expect((await save(page, 'sysbench')).text).toBe(printed);
    const { text } = await save(page, 'json');
    await page.evaluate((content) => window.latchscope.openResult(content), text);
    expect((await save(page, 'sysbench')).text).toBe(printed);
  },
);

/** A workload whose names all begin with `prefix`. */
const workloadOf = (prefix: string) => `workload "${prefix} title";
counter ${prefix}_count;
latch ${prefix}_latch : innodb_mutex;
thread ${prefix}_client[8] {
  transaction { in "${prefix}_site" hold ${prefix}_latch { work(5us); count(${prefix}_count); } }
}
thread ${prefix}_flusher every 2ms { in "${prefix}_flush" hold ${prefix}_latch { work(20us); } }
`;
const NAMES_IN_FILE: Record<string, string[]> = {
  json: ['title', 'count', 'latch', 'client', 'site', 'flusher', 'flush'],
  trace: ['title', 'latch', 'site', 'flusher', 'flush'],
  speedscope: ['title', 'client', 'site', 'flusher'],
  collapsed: ['client', 'site', 'flusher'],
  hdr: ['title'],
  svg: ['title'],
  csv: [],
  sysbench: [],
};

test(
  'files of a workload have its names, and none of the bug or the workload before it',
  { tag: '@chromium' },
  async ({ explorer, page }) => {
    await explorer.open(LINK);
    const bug = await explorer.run(spec);
    const short = { version: 1, platform: 'virtual', duration_s: 0.02, interval_s: 0.005 };
    for (const prefix of ['alpha', 'beta']) {
      await explorer.run({ ...short, workload: workloadOf(prefix) });
      for (const [format, names] of Object.entries(NAMES_IN_FILE)) {
        const { name, text } = await save(page, format);
        expect(name).toMatch(new RegExp(`^latchscope-${prefix}-title-original-virtual\\.`));
        for (const part of names) expect(text, format).toMatch(new RegExp(`${prefix}[_ ]${part}\\b`));
        const others = prefix === 'alpha' ? ['beta'] : ['alpha'];
        for (const other of [...others, '117533', 'purge_sys', 'sbtest'])
          expect(text, `${format} of ${prefix}`).not.toContain(other);
      }
    }
    expect(await explorer.run(spec)).toEqual(bug);
    for (const format of Object.keys(NAMES_IN_FILE))
      expect((await save(page, format)).text).not.toMatch(/alpha|beta/);
  },
);

const filesMenu = (page: Page) => page.getByRole('menu', { name: 'Files' });

async function openFilesMenu(explorer: Explorer) {
  await explorer.button(/^Files/).click();
  await expect(filesMenu(explorer.page)).toBeVisible();
  expect(await brokenRules(explorer.page, { part: '.files' })).toEqual([]);
  return filesMenu(explorer.page);
}

async function chooseFile(explorer: Explorer, file: { name: string; text: string }) {
  const menu = await openFilesMenu(explorer);
  const [chooser] = await Promise.all([
    explorer.page.waitForEvent('filechooser'),
    menu.getByRole('menuitem', { name: 'Open run result…' }).click(),
  ]);
  await chooser.setFiles({ name: file.name, mimeType: 'application/json', buffer: Buffer.from(file.text) });
}

test(
  'the programs for each file format can read the files and find the run in them',
  { tag: '@chromium' },
  async ({ explorer, page, context }) => {
    await explorer.open(LINK);
    const result = await explorer.run(spec);

    await test.step('run result', async () => {
      const { name, text } = await save(page, 'json');
      expect(name).toBe(`${NAME_WITHOUT_ENDING}.json`);
      expect(JSON.parse(text)).toEqual(result);
    });

    await test.step('intervals, by PapaParse', async () => {
      const { name, text } = await save(page, 'csv');
      expect(name).toBe(`${NAME_WITHOUT_ENDING}.csv`);
      const { data, errors } = papaparse.parse<Record<string, number>>(text, {
        header: true,
        dynamicTyping: true,
        skipEmptyLines: true,
      });
      expect(errors).toEqual([]);
      expect(
        data.map(({ t_s, transactions_per_s, latency_p99_ms }) => [t_s, transactions_per_s, latency_p99_ms]),
      ).toEqual(result.intervals.map(({ t_s, tps, latency_ms }) => [t_s, tps, latency_ms.p99]));
    });

    await test.step('sysbench output', async () => {
      const { name, text } = await save(page, 'sysbench');
      expect(name).toBe(`${NAME_WITHOUT_ENDING}.sysbench.txt`);
      const { intervals } = await explorer.snapshot();
      expect(text.match(/^\[ \d+\.\d{3}s \] thds: 8 tps: .*/gm)).toEqual(
        intervals.flatMap(({ sysbench_line }) => sysbench_line ?? []),
      );
      expect(text).toContain(`total number of events:              ${result.totals.transactions}`);
    });

    await test.step('latencies, by the HdrHistogram library', async () => {
      const { name, text } = await save(page, 'hdr');
      expect(name).toBe(`${NAME_WITHOUT_ENDING}.hlog`);
      const reader = new HistogramLogReader(text, 64);
      const totals: Record<string, number> = {};
      for (let next = reader.nextIntervalHistogram(); next !== null; next = reader.nextIntervalHistogram()) {
        totals[next.tag] = (totals[next.tag] ?? 0) + next.totalCount;
      }
      expect(totals.whole_run).toBe(result.totals.transactions);
      expect(totals['NO TAG']).toBeGreaterThan(0);
    });

    await test.step('trace', async () => {
      const { name, text } = await save(page, 'trace');
      expect(name).toBe(`${NAME_WITHOUT_ENDING}.trace.json`);
      const { traceEvents: events, otherData: metadata } = JSON.parse(text) as {
        traceEvents: { name: string; ph: string; ts: number; dur: number; args?: { name?: string } }[];
        otherData: Record<'run_spec', Record<string, unknown>>;
      };
      expect(result.spec).toMatchObject(metadata.run_spec);
      const names = events.filter(({ name: what }) => what === 'thread_name').map(({ args }) => args!.name);
      for (let client = 0; client < 8; client += 1) expect(names).toContain(`client ${client}`);
      expect(names).toContain('srv_purge_coordinator_thread');
      expect(events.some((event) => event.name === 'spinning: Fil_shard::m_mutex')).toBe(true);
      expect(events.filter(({ ph }) => ph === 'i').map((event) => event.name)).toEqual([
        'UPDATE sbtest1 SET k=k+1',
      ]);
      const spans = events.filter(({ ph }) => ph === 'X');
      const endUs = spans.reduce((latest, { ts, dur }) => Math.max(latest, ts + dur), 0);
      // Work that clients do after it, to end their last transactions, is not part of the run.
      expect(endUs / 1e6).toBeCloseTo(result.totals.seconds, 6);
    });

    await test.step('charts, SVG: read by the browser', async () => {
      const { name, text } = await save(page, 'svg');
      expect(name).toBe(`${NAME_WITHOUT_ENDING}.svg`);
      const seen = await page.evaluate((svg) => {
        const drawing = new DOMParser().parseFromString(svg, 'image/svg+xml');
        return {
          root: drawing.documentElement.nodeName,
          is_broken: drawing.querySelector('parsererror') !== null,
          paths: drawing.querySelectorAll('path').length,
          texts: [...drawing.querySelectorAll('text')].map((element) => element.textContent),
        };
      }, text);
      expect(seen).toMatchObject({ root: 'svg', is_broken: false });
      expect(seen.paths).toBeGreaterThan(8);
      expect(seen.texts).toContainEqual(expect.stringMatching(/^UPDATE sbtest1/));
      expect(seen.texts.some((line) => line.includes('8 clients · seed 1'))).toBe(true);
    });

    await test.step('charts, PNG', async () => {
      const { name, bytes } = await save(page, 'png');
      expect(name).toBe(`${NAME_WITHOUT_ENDING}.png`);
      expect(bytes.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
      expect(bytes.readUInt32BE(16)).toBe(2400);
    });

    // Speedscope has importers for its own format, collapsed stacks and traces.
    const speedscope = await openSpeedscope(await context.newPage());
    const deepest = result.stacks[0]!.frames.at(-1)!;
    for (const format of ['speedscope', 'collapsed', 'trace']) {
      await test.step(`${format}, imported by speedscope`, async () => {
        const seen = await importInSpeedscope(speedscope, await save(page, format));
        expect(seen).toContain(format === 'trace' ? 'the run (pid 1), intervals (tid 10)' : deepest);
        if (format !== 'trace') return;
        // Go to the next profile.
        await speedscope.keyboard.press('n');
        await expect(speedscope.getByText(/^clients \(pid 2\), client 0 /).first()).toBeVisible();
      });
    }
  },
);

const SPEEDSCOPE_ORIGIN = 'http://speedscope.test/';

async function openSpeedscope(page: Page): Promise<Page> {
  const folder = dirname(
    createRequire(import.meta.url).resolve('speedscope/dist/release/file-format-schema.json'),
  );
  const types: Record<string, string> = {
    '.html': 'text/html',
    '.js': 'text/javascript',
    '.css': 'text/css',
  };
  await page.route(`${SPEEDSCOPE_ORIGIN}**`, (route) => {
    const name = basename(new URL(route.request().url()).pathname) || 'index.html';
    return route.fulfill({
      contentType: types[extname(name)] ?? 'application/octet-stream',
      body: readFileSync(join(folder, name)),
    });
  });
  await page.goto(SPEEDSCOPE_ORIGIN);
  return page;
}

type CanvasText = (text: string, x: number, y: number) => void;

/** Returns all texts that speedscope shows or draws after it has read the file. */
async function importInSpeedscope(page: Page, { name, bytes }: SavedFile): Promise<string> {
  await page.reload();
  await page.evaluate(() => {
    const drawn: string[] = [];
    Object.assign(window, { drawn });
    const pen = CanvasRenderingContext2D.prototype;
    pen.fillText = new Proxy<CanvasText>(Reflect.get(pen, 'fillText'), {
      apply: (fillText, canvas, place: Parameters<CanvasText>) => {
        drawn.push(place[0]);
        Reflect.apply(fillText, canvas, place);
      },
    });
  });
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/json', buffer: bytes });
  // It draws the axis first and the rest in later frames.
  const hasDrawnAll = () =>
    page.evaluate(async () => {
      const { drawn } = window as unknown as { drawn: string[] };
      const before = drawn.length;
      for (let frames = 0; frames < 20; frames += 1) await new Promise(requestAnimationFrame);
      return before > 0 && drawn.length === before;
    });
  await expect.poll(hasDrawnAll).toBe(true);
  const texts = await page.evaluate(() => [
    ...(window as unknown as { drawn: string[] }).drawn,
    document.body.innerText,
    document.title,
  ]);
  return texts.join('\n');
}

test(
  'a saved result can be opened from the menu or by dropping it',
  { tag: '@chromium' },
  async ({ explorer, page }) => {
    await explorer.open(LINK);
    const result = await explorer.run(spec);
    const file = await save(page, 'json');
    await explorer.openWithoutEngine('#v=1&scenario=fil-mutex-69276&platform=virtual');
    await page.reload();
    await page.evaluate(() => window.latchscope.ready);

    await chooseFile(explorer, file);
    const notice = page.getByRole('region', { name: 'Opened from a file' });
    await expect(notice).toContainText(file.name);
    await expect(notice).toContainText(
      `Engine ${result.engine.version} · design: MySQL 8.0 to 9.7 (the bug) · virtual server`,
    );
    await expectShown(explorer, result);
    expect((await save(page, 'json')).text).toBe(file.text);

    await notice.getByRole('button', { name: 'Close file' }).click();
    await expect(notice).toHaveCount(0);
    await explorer.expectRunState('idle');
    await explorer.openSettings();
    await expect(page.getByRole('spinbutton', { name: 'Clients' })).toHaveValue('8');

    await dropFile(page, file.name, file.text);
    await expectShown(explorer, result);

    // A file that is not a run result is refused by name, and the page does not change.
    await dropFile(page, 'latin.json', [0x7b, 0xe4]);
    await expect(page.getByRole('alert')).toContainText('file is not text in UTF-8');
    await expectShown(explorer, result);

    // The spec of the file becomes the next run, which on this platform gives the same result.
    await explorer.button('Run').click();
    await explorer.expectRunState('finished');
    await expect(notice).toHaveCount(0);
    expect((await save(page, 'json')).text).toBe(file.text);
  },
);

async function expectShown(explorer: Explorer, result: RunResult) {
  const { page } = explorer;
  await expect(page.getByRole('heading', { level: 1 })).toContainText('117533');
  await expect(await explorer.wholeRun()).toContainText(result.totals.transactions.toLocaleString('en'));
  const state = await page.evaluate(() => window.latchscope.state());
  expect(state).toMatchObject({ run_state: 'finished', spec: result.spec, result });
  const { history_rows, intervals, marks } = await explorer.snapshot();
  expect(history_rows).toBe(2 * result.intervals.length);
  expect(intervals.map(({ tps }) => tps)).toEqual(result.intervals.map(({ tps }) => tps));
  expect(marks.map(({ run_ns }) => run_ns)).toEqual([5e6]);
  await expect((await explorer.evidence('Latches')).getByText('Fil_shard::m_mutex')).toBeVisible();
}
