// @ts-check
// Gives tools the page's own compiler for workload files.
import { moduleOfPage } from './page-module.mjs';

/** @typedef {typeof import('../web/analysis/workload-language/for-tools')} Language */

/** @type {() => Promise<Language>} */
export const workloadLanguage = moduleOfPage('web/analysis/workload-language/for-tools.ts');
