// Parses JSON texts of the engine without checking them. web/build/engine-contract.test.ts checks
// the engine's output against the schemas of the contract.
import type { EngineInterval } from '../contract/page-readings';
import type { WhatIfReport } from '../contract/what-if-report';
import type { RunResult } from '../contract/run-result';

export const resultOfEngine = (json: string) => JSON.parse(json) as RunResult;

export const intervalOfEngine = (json: string) => JSON.parse(json) as EngineInterval;

export const reportOfEngine = (json: string) => JSON.parse(json) as WhatIfReport;
