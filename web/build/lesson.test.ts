import path from 'node:path';

import { expect, test } from 'vitest';

import { readServers } from '../../tools/scenario-manifests.mjs';
import type { Manifest } from '../contract/manifest';
import { LessonError, parseLesson } from './lesson.ts';
import { loadScenarios } from './scenarios.ts';

const folder = path.join(import.meta.dirname, '../../scenarios');
const scenarios = await loadScenarios(folder);
const servers = await readServers(folder);
const undoRead = scenarios.find(({ manifest }) => manifest.bug === 117533)!;

const QUESTION = `\`\`\`question
What happens?
- [ ] Nothing.
  Something does.
- [x] It *falls*.
  Because of \`Fil_shard::m_mutex\`,
  of which there is one.
\`\`\``;
const TASK = `\`\`\`do Run it
run platform=virtual threads=8 at=0.02:update_k
run parameters.rows=1000
pace 1s
pause_after_s 0.1
\`\`\``;

const written = (...parts: string[]) => ['# A title', '', ...parts].join('\n');
const valid = written(
  '## Predict',
  'Some **text**.',
  QUESTION,
  '## Run',
  TASK,
  '```look throughput\nIt falls.\n```',
  '```picture\nOne *queue*.\n```',
);

const read = (text: string, manifest: Manifest = undoRead.manifest) =>
  parseLesson(text, 'lesson.md', manifest, servers);

function faultsOf(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    if (error instanceof LessonError) return error.message.split('\n');
    throw error;
  }
  return [];
}

test('steps, prose, a question, tasks and observations are read in their order', () => {
  expect(read(valid)).toEqual({
    title: 'A title',
    steps: [
      {
        title: 'Predict',
        blocks: [
          { kind: 'prose', html: '<p>Some <strong>text</strong>.</p>\n' },
          {
            kind: 'question',
            html: 'What happens?',
            choices: [
              { html: 'Nothing.', is_right: false, why_html: 'Something does.' },
              {
                html: 'It <em>falls</em>.',
                is_right: true,
                why_html: 'Because of <code>Fil_shard::m_mutex</code>, of which there is one.',
              },
            ],
          },
        ],
      },
      {
        title: 'Run',
        blocks: [
          {
            kind: 'do',
            title: 'Run it',
            run: [
              ['platform', 'virtual'],
              ['threads', '8'],
              ['at', '0.02:update_k'],
              ['parameters.rows', '1000'],
            ],
            commands: [],
            explain: null,
            pace: '1s',
            pause_after_s: 0.1,
          },
          { kind: 'look', place: 'throughput', html: 'It falls.' },
          { kind: 'picture', html: 'One <em>queue</em>.' },
        ],
      },
    ],
  });
});

test('a task may explain a transaction of the run, and a walk leads through it', () => {
  const blocksOf = (which: string) =>
    read(
      written(
        '## Run',
        TASK,
        '## One',
        `\`\`\`do Take it apart\nexplain ${which}\n\`\`\``,
        '```walk\nFrom the *end*.\n```',
      ),
    ).steps[1]!.blocks;
  const [explains, walk] = blocksOf('slowest@0.5-3');
  expect(explains).toMatchObject({
    ...{ kind: 'do', title: 'Take it apart', run: null, commands: [] },
    explain: { which: 'slowest', window: { from_s: 0.5, to_s: 3 } },
  });
  expect(walk).toEqual({ kind: 'walk', html: 'From the <em>end</em>.' });
  expect(blocksOf('p99')[0]).toMatchObject({ explain: { which: 'p99', window: null } });
});

const mayBeBetween = ['What if', 'One XA transaction', 'From its end to its beginning'];

test('the lessons predict, run, look, explain, heal and compare; one may take a transaction apart, or ask what if', () => {
  const withLesson = scenarios.filter(({ lesson }) => lesson !== null);
  expect(withLesson.length).toBeGreaterThanOrEqual(5);
  for (const { manifest, lesson } of withLesson) {
    const titles = lesson!.steps.map(({ title }) => title).filter((title) => !mayBeBetween.includes(title));
    expect(titles, manifest.id).toEqual([
      'Predict',
      'Run',
      'Look',
      'Explain',
      'Heal',
      'Compare with what MySQL shipped',
    ]);
  }
});

test.each([
  ['## Predict\n\ntext\n\n## Run\n', 'lesson.md:1: "Predict"; allowed: the line "# Title" first'],
  [
    written('Early.', '## A', 'a', '## B', 'b'),
    'lesson.md:3: "Early."; allowed: a line "## Title" before the first text',
  ],
  [written('## A', '# Again', '## B'), 'lesson.md:4: "Again"; allowed: one line "# Title", at the beginning'],
  [written('## Only'), 'lesson.md:3: 1 steps; allowed: at least two, each under a line "## Title"'],
])('the outline of %j is refused', (text, fault) => {
  expect(faultsOf(text)).toContain(fault);
});

const withBlock = (block: string) => written('## Run', TASK, '## Look', block);
const FIRST_LINE = 11;

test.each([
  ['```graph\nx\n```', 0, 'a block of "graph"; allowed: one of question, do, look, picture, walk'],
  ['```picture of it\nx\n```', 0, 'picture "of it"; allowed: nothing: a bug has one picture'],
  ['```picture\n```', 0, 'a picture without a text; allowed: what to look at in it'],
  ['```picture\na\n```\n```picture\nb\n```', 3, 'a second picture; allowed: one for each step'],
  ['```look chart\nx\n```', 0, 'look "chart"; allowed: one of design, tiles'],
  ['```do\nrun threads=1\n```', 0, 'do without a title; allowed: the label of its button'],
  [
    '```do It\n```',
    0,
    'do "It"; allowed: either lines "run …", or lines "command …", or one line "explain …"',
  ],
  ['```do It\nrun threads=1\ncommand design.fixed\n```', 0, 'do "It"; allowed: either'],
  ['```do It\ncommand design.better\n```', 1, 'command "design.better"; allowed: one of design.original'],
  ['```do It\nrun threads=many\n```', 1, 'run "threads=many"; allowed: threads: an integer from 1 to 64'],
  [
    '```do It\nrun parameters.rows=5\n```',
    1,
    'run "parameters.rows=5"; allowed: parameters.rows: an integer from 100',
  ],
  [
    '```do It\nrun parameters.cols=5\n```',
    1,
    'run "parameters.cols=5"; allowed: parameters.cols: one of rows',
  ],
  [
    '```do It\nrun design.purge_latch=none\n```',
    1,
    'run "design.purge_latch=none"; allowed: design.purge_latch: one of rw_lock',
  ],
  [
    '```do It\nrun at=soon:update_k\n```',
    1,
    'run "at=soon:update_k"; allowed: actions[0].at_s: a number from 0 to 3600',
  ],
  ['```do It\nrun speed=1\n```', 1, 'run "speed=1"; allowed: one of platform'],
  [
    '```do It\nrun seed=1 threads=8\nrun at=1:release_views at=2:jump\n```',
    2,
    'run "at=2:jump"; allowed: actions[1].action: one of update_k',
  ],
  [
    '```do It\nrun platform=threads threads=65\n```',
    1,
    'run "threads=65"; allowed: threads: an integer from 1 to 64',
  ],
  [
    '```do It\nrun platform=threads\nrun server=xeon-2020\n```',
    2,
    'run "server=xeon-2020"; allowed: server: omitted: virtual only',
  ],
  [
    '```do It\nrun platform=virtual server.pause_ps=9000\n```',
    0,
    'run server.based_on=missing; allowed: server.based_on: one of',
  ],
  [
    '```do It\nrun threads=1\npause_after_s 0\n```',
    2,
    'pause_after_s "0"; allowed: seconds of run time above 0',
  ],
  [
    '```do It\nrun threads=1\nplay\n```',
    2,
    '"play"; allowed: run key=value …, command id, explain which (once), pace id, pause_after_s seconds',
  ],
  [
    '```do It\nexplain fastest\n```',
    1,
    'explain "fastest"; allowed: slowest or p99, optionally with @FROM-TO',
  ],
  ['```do It\nexplain slowest@3-1\n```', 1, 'explain "slowest@3-1"; allowed: slowest or p99'],
  [
    '```do It\nexplain slowest\ncommand design.fixed\n```',
    0,
    'do "It"; allowed: either lines "run …", or lines "command …", or one line "explain …"',
  ],
  [
    '```do It\nexplain slowest\npause_after_s 1\n```',
    0,
    'do "It"; allowed: no pace or pause_after_s: explain does not change the run',
  ],
  ['```walk\nBack.\n```', 0, 'walk; allowed: only after a do that explains a transaction'],
  [
    '```do It\nexplain slowest\n```\n```walk it\nBack.\n```',
    3,
    'walk "it"; allowed: nothing: it shows the explained transaction',
  ],
  ['```do It\nexplain p99\n```\n```walk\n```', 3, 'a walk without a text; allowed: what to look for in it'],
  ['```question\nWhat?\n- [x] A\n  why\n```', 0, '1 choices; allowed: at least two'],
  [
    '```question\nWhat?\n- [x] A\n  why\n- [x] B\n  why\n```',
    0,
    '2 right choices; allowed: one, written "- [x] …"',
  ],
  [
    '```question\n- [x] A\n  why\n- [ ] B\n  why\n```',
    0,
    'no question; allowed: the question before its choices',
  ],
  ['```question\nWhat?\n- [x] A\n- [ ] B\n  why\n```', 2, '"- [x] A" without a reason; allowed: a reason'],
  ['```question\nWhat?\n- A\n  why\n- [x] B\n  why\n```', 2, '"- A"; allowed: "- [ ] …" or "- [x] …"'],
  ['text <br onclick="x()"> more', 0, '"<br onclick="x()">"; allowed: Markdown, no HTML'],
  ['<script>alert(1)</script>', 0, '"<script>alert(1)</script>"; allowed: Markdown, no HTML'],
  ['[x](javascript:alert(1))', 0, '"[x](javascript:alert(1))"; allowed: links that begin with https://'],
  ['![x](https://example.com/x.png)', 0, '"![x](https://example.com/x.png)"; allowed: no pictures'],
  ['```look tiles\n<img src=x>\n```', 1, '"<img src=x>"; allowed: Markdown, no HTML'],
])('%j is refused with its line', (block, line, fault) => {
  expect(faultsOf(withBlock(block))).toEqual([
    expect.stringContaining(`lesson.md:${FIRST_LINE + line}: ${fault}`),
  ]);
});

test('commands act on a run, so a run must come first', () => {
  const text = written('## A', 'a', '## B', '```do Heal\ncommand design.fixed\n```');
  expect(faultsOf(text)).toEqual([expect.stringContaining('commands only after a do with a run')]);
});

test('all faults of a lesson are named at once, by line', () => {
  const faults = faultsOf(written('## A', '```look x\n```', '<p>', '', '## B', '```do\n```'));
  expect(faults.map((fault) => fault.split(':')[1])).toEqual(['4', '6', '9', '9']);
});
