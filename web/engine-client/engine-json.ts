// What the engine's texts are. They are not checked where they are read: web/build/engine-contract.test.ts holds what the engine
// writes against the schemas of the contract.
import type { EngineInterval } from '../contract/engine-interval';
import type { WhatIfReport } from '../contract/what-if-report';
import type { RunResult } from '../contract/run-result';

export const resultOfEngine = (json: string) => JSON.parse(json) as RunResult;

export const intervalOfEngine = (json: string) => JSON.parse(json) as EngineInterval;

export const reportOfEngine = (json: string) => JSON.parse(json) as WhatIfReport;
