// The statements of each operation that clients send to a server.

/**
 * @typedef {object} Draw random values for an operation
 * @property {(below: number) => number} below returns a random integer from 0 to `below` - 1
 * @property {string} id unique id of the operation
 */

/** @type {Record<string, (draw: Draw, parameters: Record<string, any>) => string[]>} */
export const STATEMENTS = {
  point_select: ({ below }, { tables, rows }) => [
    `select c from t${1 + below(tables)} where id = ${1 + below(rows)}`,
  ],
  scan: (_, { sql }) => [sql],
  scan_any: ({ below }, { tables }) => [`select count(c) from t${1 + below(tables)} where c like 'zz%'`],
  nothing: () => ['do 0'],
  handler_read: ({ below }, { tables, rows }) => [
    `handler t${1 + below(tables)} read \`primary\` = (${1 + below(rows)})`,
  ],
  set_variable: ({ below }, { rows }) => [`set @id = ${1 + below(rows)}`],
  prepared_select: ({ below }, { tables, rows }) => [
    `set @id = ${1 + below(rows)}`,
    `execute select${1 + below(tables)} using @id`,
  ],
  range_select: ({ below }, { tables, rows, range }) => {
    const first = 1 + below(rows - range);
    return [`select c from t${1 + below(tables)} where id between ${first} and ${first + range - 1}`];
  },
  index_update: (draw, { tables, rows }) => [
    `update t${1 + draw.below(tables)} set k = k + 1 where id = ${1 + draw.below(rows)}`,
  ],
  non_index_update: (draw, { tables, rows }) => [
    `update t${1 + draw.below(tables)} set c = '${draw.below(1e9)}' where id = ${1 + draw.below(rows)}`,
  ],
  insert: (draw, { tables }) => [insertInto(draw, tables)],
  one_insert: (draw, { tables }) => ['begin', insertInto(draw, tables), 'commit'],
  inserts: (draw, { tables, inserts }) => [
    'begin',
    ...Array.from({ length: inserts }, () => insertInto(draw, tables)),
    'commit',
  ],
  without_binlog: (draw, { tables }) => [
    'set sql_log_bin = 0',
    insertInto(draw, tables),
    'set sql_log_bin = 1',
  ],
  xa_insert: (draw, { tables }) => [...xaPrepared(draw, tables), `xa commit '${draw.id}'`],
  xa_rolled_back: (draw, { tables }) => [...xaPrepared(draw, tables), `xa rollback '${draw.id}'`],
  wide_insert: () => ["insert into wide (c) values (repeat('x', 6000))"],
};

function insertInto({ below }, tables) {
  return `insert into t${1 + below(tables)} (k, c, pad) values (${below(1000)}, 'c', 'pad')`;
}

function xaPrepared(draw, tables) {
  return [
    `xa start '${draw.id}'`,
    insertInto(draw, tables),
    `xa end '${draw.id}'`,
    `xa prepare '${draw.id}'`,
  ];
}
