// The lab's language in the editor.
import { builtIns } from '../../analysis/latch-language/constants';
import { lab_functions } from '../../contract/lab-program';
import { compileLatch } from '../../session/source-compiler';
import type { CodeLanguage, OfferedWord } from '../../widgets/code-language';

const keywords = [
  'word',
  'thread',
  'line',
  'const',
  'uint',
  'void',
  'if',
  'else',
  'while',
  'break',
  'continue',
  'return',
];
const values: readonly [string, string][] = [
  ['me', 'number of this thread, from 1'],
  ['threads', 'number of threads'],
  ['nobody', '0'],
  ['all', '0xffffffff'],
];

const offered: readonly OfferedWord[] = [
  ...Object.entries(builtIns).map(([label, { parameters }]): OfferedWord => ({
    label,
    detail: `(${parameters.join(', ')})`,
    type: 'function',
  })),
  ...lab_functions.map((label): OfferedWord => ({ label, type: 'function' })),
  ...keywords.map((label): OfferedWord => ({ label, type: 'keyword' })),
  ...values.map(([label, detail]): OfferedWord => ({ label, detail, type: 'constant' })),
];

export const latchLanguage: CodeLanguage = {
  top: 'Latch',
  // Names that the source declares come before those of the language.
  wordsAt: ({ declared }) => [
    ...declared(['WordName', 'ConstantName', 'LocalName']).map((label): OfferedWord => ({
      label,
      type: 'variable',
      boost: 1,
    })),
    ...offered,
  ],
  units: [],
  explained: offered,
  errorsOf: async (source) => (await compileLatch(source)).errors ?? [],
};
