// Exports the parts of the lab's language that tools/lab-language.mjs uses.
export { lab_limits } from '../../contract/lab-program.ts';
export { compile } from './compile.ts';
export { disassemble } from './disassemble.ts';
