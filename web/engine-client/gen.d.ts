// Declares the generated modules, which the build writes without types. engine-calls.ts has their
// types.
declare module '*/gen/engine-threads.mjs' {
  const createEngine: (hooks: object) => Promise<unknown>;
  export default createEngine;
}
declare module '*/gen/engine-virtual.mjs' {
  const createEngine: (hooks: object) => Promise<unknown>;
  export default createEngine;
}
