// @ts-check
// What web/contract declares, for tools: the same schemas and rules as the page's.
import { moduleOfPage } from './page-module.mjs';

/** @typedef {typeof import('../web/contract/for-tools')} Contract */

/** @type {() => Promise<Contract>} */
export const contract = moduleOfPage('web/contract/for-tools.ts');
