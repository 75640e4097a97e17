// CPU time of the server's process per operation, of one client, with performance_schema off: what the engine's work costs are held
// against. It depends on the machine and on what else runs there, so the machine must be quiet.
import { groupCommits } from './group-commits.mjs';
import { pageReads, solve } from './page-reads.mjs';
import { undoReads } from './undo-reads.mjs';

const NS_PER_US = 1000;

const costOf = (experiment, name, figures) => ({
  ...experiment,
  experiment: name,
  isCost: true,
  named: undefined,
  clients: () => [1],
  options: (server) => [...experiment.options(server), '--performance_schema=OFF'],
  figures,
});

const operationsOf = (phases, ...names) =>
  names.map((name) => phases.find(({ phase }) => phase === name).operations);

export const pageReadCosts = costOf(pageReads, 'page_read_cpu', (phases) => {
  const [warm, cold] = operationsOf(phases, 'warm', 'cold');
  const cost = solve({ ...warm, taken: warm.cpu_us }, { ...cold, taken: cold.cpu_us });
  return { 'CPU us per select': cost.perSelect, 'CPU us per page read': cost.perPageRead };
});

export const undoReadCosts = costOf(undoReads, 'undo_read_cpu', (phases) => {
  const [none, once, twice] = operationsOf(phases, '0 versions', '1 versions', '2 versions');
  const perRow_us = none.cpu_us / none.rows_scanned;
  const beyond_us = once.cpu_us + twice.cpu_us - perRow_us * (once.rows_scanned + twice.rows_scanned);
  return {
    'CPU ns per row': perRow_us * NS_PER_US,
    'CPU ns per undo record read':
      (beyond_us * NS_PER_US) / (once.undo_records_read + twice.undo_records_read),
  };
});

export const commitCosts = costOf(groupCommits, 'commit_cpu', (phases) => {
  const [without] = operationsOf(phases, 'no rotation');
  return { 'CPU us per autocommit insert': without.cpu_us / without.commits };
});
