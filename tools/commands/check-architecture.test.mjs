// Tests the architecture rules with small projects that follow or break them.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';

import { checkArchitecture } from './check-architecture.mjs';

let root;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'latchscope-architecture-'));
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file, text) {
  const target = path.join(root, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, text);
}

const goodExamples = [
  ['wasm-engine/platform/threads/clock.cc', '#include <chrono>\n#include <emscripten/threading.h>\n'],
  [
    'wasm-engine/latch/mutex.h',
    '#include <vector>\n#include "platform/platform.h"\n#include "latch/event.h"\n',
  ],
  [
    'wasm-engine/latch/mutex.cc',
    '// like std::mutex, see <mutex>\n/* #include <thread> */\nint spin_rounds;\n',
  ],
  ['wasm-engine/wasm/exports.cc', '#include <emscripten.h>\n#include "workload/scenario.h"\n'],
  ['wasm-engine/cli/host_native.cc', '#include <unistd.h>\n#include <sys/stat.h>\n'],
  ['wasm-engine/tests/mutex_test.cc', '#include <thread>\n#include "server/fil/fil.h"\n'],
  ['web/analysis/rates.ts', "import { x } from '../engine-client/snapshot';\n"],
  ['web/analysis/rates.test.ts', "import { expect } from 'vitest';\nimport { x } from './rates';\n"],
  [
    'web/charts/axis.ts',
    "import { scaleLinear } from 'd3-scale';\nimport type { H } from '../recording/history';\n",
  ],
  ['web/features/front/page.tsx', "import { A } from '../../widgets/a';\nimport { B } from './cards';\n"],
  ['web/shell/app.tsx', "import { useState } from 'react';\nimport { save } from '../browser/files';\n"],
  ['web/browser/files.ts', "import type { Session } from '../session/session';\n"],
  ['web/main.tsx', "import { App } from './shell/app';\nimport { Engine } from './engine-client/engine';\n"],
];

for (const [file, text] of goodExamples) {
  test(`accepts ${file}`, () => {
    write(file, text);
    assert.deepEqual(checkArchitecture(root), []);
  });
}

const badExamples = [
  ['wasm-engine/run/engine.cc', '#include <unistd.h>\n', 1, /<unistd.h> may be used only in platform/],
  ['wasm-engine/cli/host_native.cc', '#include <thread>\n', 1, /<thread> may be used only in platform/],
  [
    'wasm-engine/latch/mutex.h',
    '#include <vector>\n#include <atomic>\n',
    2,
    /<atomic> may be used only in platform/,
  ],
  ['wasm-engine/latch/mutex.h', '#include "server/fil/fil.h"\n', 1, /latch may not use server/],
  [
    'wasm-engine/server/fil/fil.cc',
    'if (platform::kIsModelled) return;\n',
    1,
    /server\/ must not depend on the platform/,
  ],
  ['wasm-engine/latch/mutex.h', '#include "event.h"\n', 1, /allowed: "layer\/file.h"/],
  [
    'wasm-engine/server/fil/fil.cc',
    '\n\nstd::atomic<int> n;\n',
    3,
    /std::atomic may be used only in platform/,
  ],
  ['wasm-engine/server/fil/fil.cc', '#include <emscripten.h>\n', 1, /only in platform, wasm/],
  ['wasm-engine/workload/run.cc', '#ifdef __EMSCRIPTEN__\n#endif\n', 1, /only in platform, wasm/],
  ['wasm-engine/workload/run.cc', '#include <sys/mman.h>\n', 1, /only in platform/],
  ['wasm-engine/wasm/exports.cc', '#include <thread>\n', 1, /<thread> may be used only in platform/],
  ['wasm-engine/extra/x.cc', 'int x;\n', 1, /unknown layer "extra"/],
  [
    'web/engine-client/engine.ts',
    "import { x } from '../analysis/rates';\n",
    1,
    /engine-client may not use analysis/,
  ],
  [
    'web/analysis/rates.ts',
    "\nimport { scaleLinear } from 'd3-scale';\n",
    2,
    /analysis may not use d3-scale/,
  ],
  ['web/analysis/rates.ts', "import {\n  memo,\n} from 'react';\n", 3, /analysis may not use react/],
  ['web/session/store.ts', "export { App } from '../shell/app';\n", 1, /session may not use shell/],
  ['web/recording/x.ts', "const x = await import('../charts/axis');\n", 1, /recording may not use charts/],
  [
    'web/session/store.ts',
    "import type { S } from '../features/front/s';\n",
    1,
    /session may not use features/,
  ],
  ['web/features/front/s.ts', "import { x } from '../files/x';\n", 1, /front may not use the feature files/],
  ['web/features/front/s.ts', "import { x } from '../../browser/x';\n", 1, /features may not use browser/],
  ['web/browser/x.ts', "import { x } from '../shell/x';\n", 1, /browser may not use shell/],
  ['web/charts/axis.ts', "import { memo } from 'react';\n", 1, /charts may not use react/],
  ['web/shell/app.tsx', "import { x } from '../build/plugin';\n", 1, /shell may not use build/],
  ['web/shell/app.tsx', "import { x } from '../main';\n", 1, /shell may not use the page itself/],
];

for (const [file, text, line, rule] of badExamples) {
  test(`refuses ${JSON.stringify(text.trim())} in ${file}`, () => {
    write(file, text);
    const violations = checkArchitecture(root);
    assert.equal(violations.length, 1);
    assert.equal(violations[0].file, file);
    assert.equal(violations[0].line, line);
    assert.match(violations[0].rule, rule);
  });
}

test('refuses an import cycle, including type imports', () => {
  write('web/session/a.ts', "import { b } from './b';\n");
  write('web/session/b.ts', "import type { C } from '../charts/c';\n");
  write('web/charts/c.ts', 'export const c = 1;\n');
  assert.deepEqual(checkArchitecture(root), []);
  write('web/session/b.ts', "import type { C } from './c';\n");
  write('web/session/c.ts', "export type { A } from './a';\n");
  const [violation, ...others] = checkArchitecture(root);
  assert.deepEqual(others, []);
  assert.match(
    violation.rule,
    /import cycle: session\/a.ts -> session\/b.ts -> session\/c.ts -> session\/a.ts/,
  );
});
