// @ts-check
// The language of the latch lab, for tools: the page's own compiler.
import { moduleOfPage } from './page-module.mjs';

/** @typedef {typeof import('../web/analysis/latch-language/for-tools')} Language */

/** @type {() => Promise<Language>} */
export const labLanguage = moduleOfPage('web/analysis/latch-language/for-tools.ts');
