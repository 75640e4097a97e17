// Tests published claims about latches against contests on the modeled servers
// (docs/explanation/latch-literature.md).
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';

import { readLiterature } from './lab-latches.mjs';
import { describeClaim, holds, measureClaims } from './lab-literature.mjs';
import { repository } from './processes.mjs';

const { sources, claims } = await readLiterature();
const docs = readFileSync(join(repository, 'docs/explanation/latch-literature.md'), 'utf8');

let measured = [];
before(async () => (measured = await measureClaims(claims)));

for (const { id, holds: isSaidToHold } of claims) {
  test(`${id} ${isSaidToHold ? 'holds' : 'does not hold'}`, () => {
    const { claim, curves } = measured.find((each) => each.claim.id === id);
    assert.equal(holds(claim.shape, curves), isSaidToHold, describeClaim(claim, curves, sources));
  });
}

test('the figures of docs/explanation/latch-literature.md equal those of contests', () => {
  const blocks = [...docs.matchAll(/^```\n(([a-z0-9-]+): [^]*?)\n```$/gm)];
  assert.ok(blocks.length >= 5);
  for (const [, block, id] of blocks) {
    const { claim, curves } = measured.find((each) => each.claim.id === id);
    assert.equal(block, describeClaim(claim, curves, sources));
  }
});

const curve = (...figures) => ({
  latch: 'any',
  curve: new Map(figures.map((figure, i) => [2 ** i, figure])),
});

/** Each shape with curves that match it and curves that do not, for 1, 2, 4 and 8 threads. */
const shapes = [
  [{ kind: 'flat', from: 2, within: 1.1 }, [[9, 10, 11, 10]], [[9, 10, 11.1, 10]]],
  [{ kind: 'grows', from: 2, at_least: 2 }, [[9, 1, 1.5, 2]], [[1, 2, 1, 9]]],
  [{ kind: 'grows', from: 2, at_least: 2 }, [[9, 1, 1.5, 2]], [[1, 1, 1.5, 1.9]]],
  [{ kind: 'falls', from: 2, to_at_most: 0.5 }, [[1, 4, 9, 2]], [[9, 4, 3, 2.1]]],
  [{ kind: 'steps', from: 2, to: 4, by: 1.5 }, [[1, 2, 3, 3]], [[1, 2, 2.9, 9]]],
  [{ kind: 'linear', from: 1, within: 1.5 }, [[1, 2, 4, 8]], [[1, 2, 4, 10.1]]],
  [{ kind: 'linear', from: 1, within: 1.5 }, [[1, 2, 4, 8]], [[1, 1, 1, 1]]],
  [{ kind: 'peaks', from: 2, to: 4, last_at_most: 0.5 }, [[1, 3, 4, 2]], [[1, 3, 4, 2.1]]],
  [{ kind: 'peaks', from: 2, to: 4, last_at_most: 0.5 }, [[1, 4, 3, 2]], [[4, 3, 2, 1]]],
  [
    { kind: 'ordered', from: 2, by: 2 },
    [
      [0, 4, 4, 4],
      [1, 1.9, 1, 1],
    ],
    [
      [9, 4, 4, 4],
      [1, 2.1, 1, 1],
    ],
  ],
  [
    { kind: 'crosses', between: [2, 4] },
    [
      [2, 2, 1, 1],
      [1, 1, 2, 2],
    ],
    [
      [2, 1, 1, 1],
      [1, 2, 2, 2],
    ],
  ],
  [
    { kind: 'crosses', between: [2, 8] },
    [
      [2, 2, 9, 1],
      [1, 1, 2, 2],
    ],
    [
      [2, 2, 9, 3],
      [1, 1, 2, 2],
    ],
  ],
  [
    { kind: 'level', from: 2, within: 2 },
    [
      [9, 2, 1, 1],
      [1, 1, 2, 1],
    ],
    [
      [1, 1, 1, 1],
      [1, 1, 1, 2.1],
    ],
  ],
  [
    { kind: 'steeper', from: 2, by: 2 },
    [
      [0, 1, 2, 5],
      [0, 1, 9, 3],
    ],
    [
      [9, 1, 2, 5],
      [0, 1, 9, 3.1],
    ],
  ],
];

test('a shape holds for curves that have it, and not for others', () => {
  for (const [shape, having, others] of shapes) {
    const are = (figures) => figures.map((each) => curve(...each));
    assert.equal(holds(shape, are(having)), true, JSON.stringify([shape, having]));
    assert.equal(holds(shape, are(others)), false, JSON.stringify([shape, others]));
  }
  assert.deepEqual(
    [...new Set(claims.map(({ shape }) => shape.kind))].filter(
      (kind) => !shapes.some(([shape]) => shape.kind === kind),
    ),
    [],
  );
});

const latchscope = (...args) =>
  spawnSync(process.execPath, [join(repository, 'tools/cli.mjs'), 'latchscope', 'lab', ...args], {
    encoding: 'utf8',
  });

test('lab literature prints a claim with its figures; an unknown claim is refused', () => {
  const { status, stdout } = latchscope('literature', 'mcs-moves-few-lines');
  assert.equal(status, 0);
  assert.match(stdout, /^mcs-moves-few-lines: holds\n/);
  assert.match(stdout, /\n1 of 1 claims hold on the modeled servers\.\n$/);
  const refused = latchscope('literature', 'all-is-well');
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /^CLAIM: got "all-is-well"; allowed: one of mcs-moves-few-lines, /);
});

test('lab bench measures other latches for comparison, as tables and as JSON', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'latchscope-beside-'));
  try {
    const file = join(scratch, 'beside.json');
    const mine = join(repository, 'lab/latches/ticket.latch');
    const { status, stdout } = latchscope(
      'bench',
      mine,
      '--beside',
      'mcs,clh',
      '--threads',
      '2,24',
      '--json',
      file,
    );
    assert.equal(status, 0);
    assert.match(stdout, /hand-off, ns\s+threads {2,}2 +24\n {2}yours .*\n {2}mcs .*\n {2}clh /);
    const { contests, beside } = JSON.parse(readFileSync(file, 'utf8'));
    assert.deepEqual(Object.keys(beside), ['mcs', 'clh']);
    assert.ok(beside.mcs[1].acquisitions_per_s > contests[1].acquisitions_per_s);
    assert.match(
      latchscope('bench', mine, '--beside', 'wrong/abba').stderr,
      /^--beside: got "wrong\/abba"; allowed: test-and-set, /,
    );
    assert.match(latchscope('bench', mine, '--beside=').stderr, /^--beside: got ""; allowed: a value/);
  } finally {
    rmSync(scratch, { recursive: true });
  }
});
