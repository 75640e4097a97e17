// @ts-check
// Derives each measured work cost from times on real servers
// (scenarios/<bug>/measured/*-costs.json). The ratios of the costs apply to other machines; a
// server's work_percent sets its speed.
import { join } from 'node:path';

import { median } from 'd3-array';

import { readJson } from '../../tools/scenario-files.mjs';
import { SCENARIOS } from '../../tools/scenario-manifests.mjs';

/** Measurements of one quiet machine. Files of other machines may exist beside these. */
const FILES = {
  'mysql-5.6.24': 'mysql-5.6.24-2-cores-costs.json',
  'mysql-9.7.4': 'mysql-9.7.4-2-cores-costs.json',
  'mariadb-10.11.19': 'mariadb-10.11.19-2-cores-costs.json',
};
const NS_PER_US = 1000;

/**
 * @typedef {(scenario: string, figure: string) => number} Measured a figure of one server; NaN if
 *   it was not measured
 * @typedef {Record<string, number>} Declared costs that were not measured
 */

const statement = (of) => (figure) => NS_PER_US * of('binlog-purge-104615', `CPU us per ${figure}`);

/**
 * Returns the cost of an autocommit statement without its commit, which costs as much as the commit
 * of an insert.
 */
function withoutCommit(of, figure) {
  const cost = statement(of);
  return cost(figure) - (cost('autocommit insert') - cost('insert within a transaction'));
}

/**
 * Each formula returns nanoseconds. It subtracts the declared cost of parts that were not measured
 * alone.
 * @type {Record<string, (of: Measured, declared: Declared) => number>}
 */
export const FORMULAS = {
  statement_ns: (of) => statement(of)('statement that does nothing'),
  point_select_ns: (of) => statement(of)('point select'),
  row_read_ns: (of) => of('binlog-purge-104615', 'CPU ns per row of a range select'),
  handler_read_ns: (of) => NS_PER_US * of('fil-mutex-69276', 'CPU us per HANDLER READ'),
  update_index_ns: (of) => withoutCommit(of, 'autocommit index update'),
  update_non_index_ns: (of) => withoutCommit(of, 'autocommit non-index update'),
  insert_ns: (of) => statement(of)('insert within a transaction'),
  commit_ns: (of, { trx_commit_ns }) =>
    statement(of)('BEGIN and COMMIT') - statement(of)('statement that does nothing') - trx_commit_ns,
  xa_commit_ns: (of, { trx_commit_ns }) => {
    const cost = (figure) => NS_PER_US * of('xa-gtid-99638', `CPU us per ${figure}`);
    const startAndEnd = 2 * statement(of)('statement that does nothing');
    return (cost('XA transaction beside its insert') - startAndEnd) / 2 - trx_commit_ns;
  },
  gtid_table_write_ns: (of) =>
    statement(of)('autocommit insert without binary log') - 3 * statement(of)('statement that does nothing'),
  row_scanned_ns: (of) => of('undo-read-117533', 'CPU ns per row'),
  version_built_ns: (of) => 0.8 * undoRecordBesideLatches(of),
  undo_record_copied_ns: (of) => 0.2 * undoRecordBesideLatches(of),
  page_read_ns: (of, { page_checksum_ns, ibuf_bitmap_ns }) =>
    NS_PER_US * of('fil-mutex-69276', 'CPU us per page read') - page_checksum_ns - ibuf_bitmap_ns - COPY_NS,
};

/** The copy time of kRamDevice (platform/device.h). */
const COPY_NS = 600;
/**
 * Time of an undo record's four latches without contention: twelve atomic operations of 8 ns
 * (coherence_model.h).
 */
const LATCHES_OF_AN_UNDO_RECORD_NS = 96;

function undoRecordBesideLatches(of) {
  return of('undo-read-117533', 'CPU ns per undo record read') - LATCHES_OF_AN_UNDO_RECORD_NS;
}

/** @returns {Record<string, Measured>} by server */
function measuredCosts() {
  const of = (file) => (scenario, figure) => {
    const path = join(SCENARIOS, scenario, 'measured', file);
    const document = readJsonOrNull(path);
    const runs = (document?.experiments ?? []).flatMap(({ runs: ofOne }) => ofOne);
    return runs.find(({ counts }) => figure in counts)?.counts[figure] ?? NaN;
  };
  return Object.fromEntries(Object.entries(FILES).map(([server, file]) => [server, of(file)]));
}

function readJsonOrNull(path) {
  try {
    return readJson(path, path);
  } catch {
    return null; // No server has every figure: only MySQL 8 has those of XA.
  }
}

/**
 * @param {string} cost
 * @param {Declared} declared
 * @param {Record<string, Measured>} [servers]
 * @returns {{ ns: number, of: Record<string, number> }} `ns`: the median over the servers; `of`:
 *   the value of each server
 */
export function measuredCost(cost, declared, servers = measuredCosts()) {
  const of = Object.fromEntries(
    Object.entries(servers)
      .map(([server, measured]) => [server, FORMULAS[cost](measured, declared)])
      .filter(([, ns]) => Number.isFinite(ns)),
  );
  return { ns: median(Object.values(of)) ?? NaN, of };
}

/** Rounds to two significant digits: the measurements are not more precise. */
export const twoDigits = (ns) => Number(ns.toPrecision(2));
