// The build writes the modules themselves, without types; engine-module.ts knows them.
declare module '*/gen/engine-threads.mjs' {
  const createEngine: (hooks: object) => Promise<unknown>;
  export default createEngine;
}
declare module '*/gen/engine-virtual.mjs' {
  const createEngine: (hooks: object) => Promise<unknown>;
  export default createEngine;
}
