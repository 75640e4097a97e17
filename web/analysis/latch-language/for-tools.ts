// What tools/ use of the lab's language (tools/lab-language.mjs).
export { lab_limits } from '../../contract/lab-program.ts';
export { compile } from './compile.ts';
export { disassemble } from './disassemble.ts';
