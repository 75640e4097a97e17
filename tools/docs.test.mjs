// The documents that repeat what the code declares say the same as the code.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { declaredCounters } from './engine-counters.mjs';
import { repository } from './processes.mjs';

const read = (path) => readFileSync(join(repository, path), 'utf8');

function documentedCounters() {
  const table = read('docs/telemetry.md').split('<!-- counters')[1];
  return [...table.matchAll(/^\|\s*`(\w+)`\s*\|\s*(.*?)\s*\|$/gm)].map(([, name, meaning]) => ({
    name,
    meaning,
  }));
}

test('docs/telemetry.md lists every counter with its meaning', () => {
  assert.ok(declaredCounters().length > 10);
  assert.deepEqual(documentedCounters(), declaredCounters());
});

test('the example of docs/automation.md is the one that is tested', () => {
  const [, documented] = read('docs/automation.md').split(/<!-- (?:end of )?example of automation -->/);
  const [, tested] = read('e2e/automation.spec.ts').split(/^\/\/ --- (?:end of )?example\n/m);
  assert.match(tested, /window\.latchscope\.run/);
  assert.equal(documented.trim(), `\`\`\`ts\n${tested}\`\`\``);
});

test('docs/automation.md lists every member of window.latchscope', () => {
  const [, declared] = read('web/state/automation.ts').split(/export interface Automation \{|^\}/m);
  const members = [...declared.matchAll(/^ {2}(?:readonly )?(\w+):/gm)].map(([, name]) => name);
  const table = read('docs/automation.md').split('## Members')[1].split('\n\n- ')[0];
  const documented = [...table.matchAll(/^\| (`[^|]*)\|/gm)].flatMap(([, cell]) =>
    [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name),
  );
  assert.ok(members.length > 10);
  assert.deepEqual(documented.sort(), members.sort());
});

test('docs/writing-lessons.md names every place that a lesson can point at', () => {
  const [, places] = read('web/state/lesson.ts').split(/lesson_places = \[|\] as const/);
  const document = read('docs/writing-lessons.md');
  const names = [...places.matchAll(/'([\w.]+)'/g)].map(([, name]) => name);
  assert.ok(names.length > 10);
  for (const name of names) assert.ok(document.includes(`\`${name}\``), name);
});
