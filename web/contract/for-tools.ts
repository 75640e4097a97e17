// What tools/ use of the contract (tools/page-contract.mjs).
export { engine_limits } from './engine-limits.ts';
export { all_platforms } from './platforms.ts';
export { run_result_schema } from './run-result.ts';
export { runSpecFaults, runSpecSchema } from './run-spec-rules.ts';
export { scenario_files } from './scenario-files/index.ts';
export { schemaFaults } from './schema-faults.ts';
