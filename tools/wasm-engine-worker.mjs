// Runs the page's engine in a thread of its own.
import { parentPort, workerData } from 'node:worker_threads';

import { runInNode } from './wasm-engine.mjs';

parentPort.postMessage(await runInNode(workerData.folder, workerData.spec));
