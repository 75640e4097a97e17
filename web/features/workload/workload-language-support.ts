// The language of workload files in the editor.
import { units } from '../../analysis/workload-language/values';
import { script_latch_kinds } from '../../contract/workload-operations';
import type { CodeLanguage, OfferedWord } from '../../widgets/code-language';
import type { WorkloadEditing } from './workload-editing';

const words = (type: OfferedWord['type'], of: readonly (readonly [string, string?])[]): OfferedWord[] =>
  of.map(([label, detail]) => ({ label, type, ...(detail !== undefined && { detail }) }));

const declarations = words('keyword', [
  ['workload', '"title";'],
  ['unit', 'what throughput counts'],
  ['const', 'a name for a number'],
  ['param', 'a number that a run may change'],
  ['from', 'lower bound of a parameter'],
  ['to', 'upper bound of a parameter'],
  ['knob', 'a decision with variants'],
  ['design', 'a variant for every knob'],
  ['latch', 'a lock, or an array of them'],
  ['word', 'shared data on a cache line'],
  ['line', 'words on one cache line'],
  ['thread', 'threads that repeat a body'],
]);

const statements = words('keyword', [
  ['transaction', 'what throughput counts, once per body'],
  ['in', 'names a part: its frame and its site'],
  ['hold', 'takes a latch for a block'],
  ['shared', 'takes a latch with other readers'],
  ['exclusive', 'takes a latch alone'],
  ['try', 'takes a latch only if it is free'],
  ['repeat', 'a number of times'],
  ['if'],
  ['else'],
  ['while'],
  ['break'],
  ['continue'],
  ['return', 'ends the transaction'],
  ['uint', 'a local number'],
  ['duration', 'a local time'],
  ['size', 'a local size in bytes'],
]);

const calls = words('function', [
  ['work', '(duration): uses the CPU'],
  ['think', '(duration): outside of the latency'],
  ['sleep', '(duration): waits without the CPU'],
  ['check', '(condition): ends the run if it is 0'],
  ['chance', '(share): 1 or 0'],
  ['uniform', '(number): from 0 to number - 1'],
  ['exponential', '(mean): a random duration'],
  ['load', '(word): its value'],
  ['store', '(word, value): writes it'],
  ['exchange', '(word, value): writes it, gives the old value'],
  ['compare_exchange', '(word, expected, desired): gives the old value'],
  ['fetch_add', '(word, value): gives the old value'],
  ['fetch_sub', '(word, value): gives the old value'],
  ['fetch_and', '(word, value): gives the old value'],
  ['fetch_or', '(word, value): gives the old value'],
  ['fetch_xor', '(word, value): gives the old value'],
  ['fence', '(): waits for the stores'],
  ['pause', '(number): PAUSE instructions'],
  ['yield', '(): gives the core away'],
]);

const values = words('constant', [
  ['me', 'number of this thread, from 1'],
  ['index', 'number of this thread in its group, from 0'],
  ['threads', 'number of clients'],
]);

const kinds = script_latch_kinds.map(({ name, has_size, can_be_shared }): OfferedWord => ({
  label: name,
  type: 'type',
  detail: [has_size ? '(number)' : '', can_be_shared ? 'can be shared' : ''].filter(Boolean).join(' '),
}));

const scales: Record<string, string> = { duration: 'of time', size: 'of bytes', share: 'percent' };

const declaredNames = (names: readonly string[]): OfferedWord[] =>
  names.map((label) => ({ label, type: 'variable', boost: 1 }));

const onWord = /\b(load|store|exchange|compare_exchange|fetch_(add|sub|and|or|xor))\(\s*\w*$/;

/** Offers latches after `hold`, words in the calls that access one, kinds after the colon of a latch, and everything elsewhere. */
export const workloadLanguage = (editing: WorkloadEditing): CodeLanguage => ({
  top: 'Workload',
  wordsAt: ({ line, declared }) => {
    if (/\b(hold|shared|exclusive)\s+\w*$/.test(line)) return declaredNames(declared(['LatchName']));
    if (/\blatch\s+\w+\s*(\[[^\]]*\]\s*)?:\s*\w*$/.test(line))
      return [...declaredNames(declared(['KnobName'])), ...kinds];
    if (onWord.test(line)) return declaredNames(declared(['WordName']));
    return [
      ...declaredNames(
        declared(['ConstantName', 'ParameterName', 'KnobName', 'VariantName', 'LatchName', 'LocalName']),
      ),
      ...declaredNames(declared(['WordName'])),
      ...declarations,
      ...statements,
      ...calls,
      ...values,
      ...kinds,
    ];
  },
  units: units.map(({ name, type }) => ({ label: name, type: 'constant', detail: scales[type] ?? type })),
  errorsOf: (source) => editing.errorsOf(source),
});
