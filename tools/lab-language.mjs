// @ts-check
// Gives tools the page's own compiler for the language of the latch lab.
import { moduleOfPage } from './page-module.mjs';

/** @typedef {typeof import('../web/analysis/latch-language/for-tools')} Language */

/** @type {() => Promise<Language>} */
export const labLanguage = moduleOfPage('web/analysis/latch-language/for-tools.ts');
