// Replaces ../page-module.mjs in the npm package, where the modules of the page are bundled.
const modules = {
  'web/analysis/latch-language/for-tools.ts': () => import('../../web/analysis/latch-language/for-tools.ts'),
  'web/analysis/workload-language/for-tools.ts': () =>
    import('../../web/analysis/workload-language/for-tools.ts'),
  'web/analysis/imports/for-tools.ts': () => import('../../web/analysis/imports/for-tools.ts'),
  'web/analysis/lab-exercise-words.ts': () => import('../../web/analysis/lab-exercise-words.ts'),
  'web/analysis/lab-judgement.ts': () => import('../../web/analysis/lab-judgement.ts'),
  'web/features/experiments/for-tools.ts': () => import('../../web/features/experiments/for-tools.ts'),
  'web/contract/for-tools.ts': () => import('../../web/contract/for-tools.ts'),
};

/** @param {keyof typeof modules} file relative to the repository */
export const moduleOfPage = (file) => modules[file];
