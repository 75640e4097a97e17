// The attacked areas, in the order in which they run. Each module exports an Area (run.mjs).
export const areas = {
  'run-specs': () => import('./run-specs.mjs'),
  memory: () => import('./memory.mjs'),
  links: () => import('./links.mjs'),
  'result-files': () => import('./result-files.mjs'),
  server: () => import('./server.mjs'),
  'command-line': () => import('./command-line.mjs'),
  'spec-files': () => import('./spec-files.mjs'),
  'outputs-and-signals': () => import('./outputs-and-signals.mjs'),
  tools: () => import('./tools.mjs'),
  'built-programs': () => import('./built-programs.mjs'),
  'latch-lab': () => import('./latch-lab.mjs'),
  cache: () => import('./cache.mjs'),
  'page-automation': () => import('./page-automation.mjs'),
  offline: () => import('./offline.mjs'),
};
