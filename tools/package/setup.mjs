// Replaces ../setup/index.mjs in the npm package, which needs no set-up.
export { SetupError } from '../setup/progress.mjs';

export const ensureNodeModules = async () => {};
