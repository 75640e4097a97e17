// The language of workload files in the editor.
import { engineKinds } from '../../analysis/workload-language/latch-kinds';
import { units } from '../../analysis/workload-language/values';
import { all_latch_names } from '../../contract/lab-names';
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
  ['kind', 'a latch of your own, in the latch language'],
  ['latch', 'a lock, or an array of them'],
  ['counter', 'something to count'],
  ['device', 'a disk or a network'],
  ['word', 'shared data on a cache line'],
  ['condition', 'what threads wait for while they release a latch'],
  ['queue', 'numbers from some threads to others, up to a length'],
  ['barrier', 'where a number of threads meet'],
  ['line', 'words on one cache line'],
  ['thread', 'threads that repeat a body'],
  ['every', 'the body starts at a fixed rate'],
  ['once', 'the body runs once'],
  ['action', 'what the reader does during the run'],
  ['at_end', 'checks after the run'],
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
  ['return', 'ends the transaction, or a function with its value'],
  ['void', 'a function without a value'],
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
  ['lognormal', '(mean, variation): a random duration with a long tail'],
  ['zipf', '(number, exponent): below number, 0 the most frequent'],
  ['arrive', '(interval): waits for the next request, before the transaction'],
  ['wait', '(condition): releases the latch and sleeps'],
  ['signal', '(condition): wakes one thread'],
  ['broadcast', '(condition): wakes all threads'],
  ['send', '(queue, number): sleeps while it is full'],
  ['receive', '(queue): the first number; sleeps while it is empty'],
  ['await', '(barrier): sleeps until all have come'],
  ['led_by', '(thread): who works for this thread while it sleeps'],
  ['load', '(word): its value'],
  ['store', '(word, value): writes it'],
  ['exchange', '(word, value): writes it, gives the old value'],
  ['compare_exchange', '(word, expected, desired): gives the old value'],
  ['fetch_add', '(word, value): gives the old value'],
  ['fetch_sub', '(word, value): gives the old value'],
  ['fetch_and', '(word, value): gives the old value'],
  ['fetch_or', '(word, value): gives the old value'],
  ['fetch_xor', '(word, value): gives the old value'],
  ['futex_wait', '(word, expected): sleeps if the word is that'],
  ['futex_wake', '(word, number): wakes sleepers, gives how many'],
  ['io', '(device, size): waits for a request'],
  ['count', '(counter, number): adds to it, 1 if left out'],
  ['counted', '(counter): its total, in at_end'],
  ['fence', '(): waits for the stores'],
  ['pause', '(number): PAUSE instructions'],
  ['yield', '(): gives the core away'],
]);

const values = words('constant', [
  ['me', 'number of this thread, from 1'],
  ['index', 'number of this thread in its group, from 0'],
  ['threads', 'number of clients'],
  ['nobody', 'the number 0, which no thread has'],
]);

const kinds = engineKinds.map(({ name, has_size, can_be_shared }): OfferedWord => ({
  label: name,
  type: 'type',
  detail: `${has_size ? '(number): ' : ''}a kind of latch${can_be_shared ? ', can be shared' : ''}`,
}));

const scales: Record<string, string> = { duration: 'of time', size: 'of bytes', share: 'percent' };

/** Offered before the others, the last one first. */
const usualUnits = ['KiB', 'ns', 'ms', 'us'];

const declaredNames = (names: readonly string[]): OfferedWord[] =>
  names.map((label) => ({ label, type: 'variable', boost: 1 }));

const onWord =
  /\b(load|store|exchange|compare_exchange|fetch_(add|sub|and|or|xor)|futex_(wait|wake))\(\s*\w*$/;
const afterGroupName = /^\s*thread\s+\w+(\s*\[[^\]]*\]\s*|\s+)\w*$/;
const kindOfLatch = /\blatch\s+\w+\s*(\[[^\]]*\]\s*)?:\s*"?[\w/-]*$/;
const valueOfVariant = /^\s*\w+\s*=\s*"[\w/-]*$/;
const kindOfDevice = /\bdevice\s+\w+\s*:\s*\w*$/;
const argumentOf = (callee: string) => new RegExp(`\\b${callee}\\(\\s*\\w*$`);
const inQuotes = /"[\w/-]*$/;

const labLatches = all_latch_names.map((label): OfferedWord => ({
  label,
  type: 'type',
  detail: 'latch of the lab',
}));
const devices = words('type', [
  ['nvme', '80 us, 32 at once'],
  ['ssd', '150 us, 8 at once'],
  ['hdd', '8 ms, one at once'],
  ['network', '(duration): any number at once'],
]);
const schedules = declarations.filter(({ label }) => label === 'every' || label === 'once');

/** Offers what may stand at each place: latches after `hold`, kinds after the colon of a latch, words in the calls that access one. */
export const workloadLanguage = (editing: WorkloadEditing): CodeLanguage => ({
  top: 'Workload',
  wordsAt: ({ line, declared }) => {
    if (inQuotes.test(line)) return kindOfLatch.test(line) || valueOfVariant.test(line) ? labLatches : [];
    if (/\b(hold|shared|exclusive)\s+\w*$/.test(line)) return declaredNames(declared(['LatchName']));
    if (kindOfLatch.test(line)) return [...declaredNames(declared(['KnobName', 'KindName'])), ...kinds];
    if (kindOfDevice.test(line)) return devices;
    if (afterGroupName.test(line)) return schedules;
    if (onWord.test(line)) return declaredNames(declared(['WordName']));
    if (argumentOf('(?:wait|signal|broadcast)').test(line)) return declaredNames(declared(['ConditionName']));
    if (argumentOf('(?:send|receive)').test(line)) return declaredNames(declared(['QueueName']));
    if (argumentOf('await').test(line)) return declaredNames(declared(['BarrierName']));
    if (argumentOf('io').test(line)) return declaredNames(declared(['DeviceName']));
    if (argumentOf('count').test(line)) return declaredNames(declared(['CounterName']));
    if (argumentOf('counted').test(line))
      return [...declaredNames(declared(['CounterName'])), ...words('variable', [['transactions']])];
    return [
      ...declaredNames(
        declared(['ConstantName', 'ParameterName', 'KnobName', 'VariantName', 'LatchName', 'LocalName']),
      ),
      ...declaredNames(declared(['ConditionName', 'QueueName', 'BarrierName'])),
      ...declaredNames(declared(['OwnFunctionName', 'WordName', 'KindName', 'CounterName', 'DeviceName'])),
      ...declarations,
      ...statements,
      ...calls,
      ...values,
      ...kinds,
    ];
  },
  units: units.map(({ name, type }) => ({
    label: name,
    type: 'constant',
    detail: scales[type] ?? type,
    boost: usualUnits.indexOf(name) + 1,
  })),
  explained: [...declarations, ...statements, ...calls, ...values, ...kinds, ...devices],
  errorsOf: (source) => editing.errorsOf(source),
});
