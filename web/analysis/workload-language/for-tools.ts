// Exports the parts of the language of workload files that tools/workload-file.mjs uses.
export { manifestOfWorkload } from '../../contract/workload-manifest.ts';
export { compileWorkload } from './compile.ts';
export { parameterInUnits } from './parameter-value.ts';
