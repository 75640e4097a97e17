// Exports the parts of the contract that tools/page-contract.mjs uses.
export { documentTables, jsonSchemas } from './descriptions.ts';
export { engine_latches } from './engine-latches.ts';
export { engine_limits } from './engine-limits.ts';
export { course_diff_schema, run_taken_back_schema } from './going-back.ts';
export { lab_exercise_schema } from './lab-exercise.ts';
export { lab_latches_schema, literature_schema } from './lab-latches.ts';
export { optionalFieldsMissing } from './descriptions.ts';
export { run_result_schema } from './run-result.ts';
export { runSpecFaults } from './run-spec-rules.ts';
export { scenario_files } from './scenario-files/index.ts';
export { schemaFaults } from './schema-faults.ts';
