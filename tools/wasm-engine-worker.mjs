// Worker thread that runs the page's engine for the virtual server.
import { parentPort, workerData } from 'node:worker_threads';

import { runInNode } from './wasm-engine.mjs';

parentPort.postMessage(await runInNode(workerData.folder, workerData.spec));
