// @ts-check
// Gives tools the schemas and rules of web/contract that the page uses.
import { moduleOfPage } from './page-module.mjs';

/** @typedef {typeof import('../web/contract/for-tools')} Contract */

/** @type {() => Promise<Contract>} */
export const contract = moduleOfPage('web/contract/for-tools.ts');
