// Worker thread of index.mjs: executes one task in the page's engine for the virtual server.
import { parentPort, workerData } from 'node:worker_threads';

import { driverOf } from '../engine-driver.mjs';

const { script, module, task } = workerData;
const { default: createEngine } = await import(script);
const engine = await createEngine({
  instantiateWasm(imports, instantiated) {
    const instance = new WebAssembly.Instance(module, imports);
    instantiated(instance, module);
    return instance.exports;
  },
});

const progressOf = {
  run: ({ clockNs }, beganNs) => (clockNs() - beganNs) / (task.spec.duration_s * 1e9),
  explain: ({ explanationProgress }) => explanationProgress(),
};
progressOf.outcome = progressOf.run;

let beganNs;
const driver = driverOf(engine, (calls) => {
  if (beganNs === undefined && task.kind !== 'explain') return;
  const progress = progressOf[task.kind](calls, beganNs);
  parentPort.postMessage({ progress: Math.min(1, Math.max(0, progress)) });
});

function runToEnd(spec) {
  driver.create(spec);
  beganNs = driver.clockNs();
  driver.run();
}

const tasks = {
  run() {
    runToEnd(task.spec);
    return driver.result();
  },
  explain: () => driver.explain(task.spec, task.wanted),
  outcome() {
    runToEnd(task.spec);
    return `{"spec":${JSON.stringify(JSON.parse(driver.result()).spec)},"outcome":${driver.outcome('beginning')}}`;
  },
  report: () => driver.whatIfReport(JSON.stringify(task.study)),
};

/** Returns the faults of a refused spec as the command line words them. */
function wordsOf({ message, cause }) {
  try {
    return JSON.parse(cause)
      .map(({ field, value, allowed }) => `${field}: got ${value}; allowed: ${allowed}`)
      .join('\n');
  } catch {
    return message;
  }
}

try {
  parentPort.postMessage({ text: tasks[task.kind]() });
} catch (error) {
  parentPort.postMessage({ refusal: wordsOf(error) });
}
