// What the engine's texts are. They are not checked where they are read: web/build/engine-contract.test.ts holds what the engine
// writes against the schemas of the contract.
import type { WhatIfReport } from '../contract/what-if-report';
import type { RunInterval, RunResult } from '../contract/run-result';

/** An interval of a run that went on in this page's own engine. */
export interface EngineInterval extends RunInterval {
  seconds: number;
}

export const resultOfEngine = (json: string) => JSON.parse(json) as RunResult;

export const intervalOfEngine = (json: string) => JSON.parse(json) as EngineInterval;

export const reportOfEngine = (json: string) => JSON.parse(json) as WhatIfReport;
