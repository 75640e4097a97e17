// What tools/ use of the lab's language (tools/lab-language.mjs).
export { compile } from './compile.ts';
export { disassemble } from './disassemble.ts';
