// The build writes the module itself, without types; engine-module.ts knows them.
declare module '*/gen/engine-threads.mjs' {
  const createEngine: (hooks: object) => Promise<unknown>;
  export default createEngine;
}
