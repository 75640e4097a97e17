// What clients say to a server: for each operation, the statements of one.

/**
 * @typedef {object} Draw what an operation is made of
 * @property {(below: number) => number} below a random integer from 0
 * @property {string} id of the operation, unlike any other's
 */

/** @type {Record<string, (draw: Draw, parameters: Record<string, any>) => string[]>} */
export const STATEMENTS = {
  point_select: ({ below }, { tables, rows }) => [
    `select c from t${1 + below(tables)} where id = ${1 + below(rows)}`,
  ],
  scan: (_, { sql }) => [sql],
  scan_any: ({ below }, { tables }) => [`select count(c) from t${1 + below(tables)} where c like 'zz%'`],
  insert: ({ below }, { tables }) => [
    `insert into t${1 + below(tables)} (k, c, pad) values (${below(1000)}, 'c', 'pad')`,
  ],
  xa_insert: ({ below, id }, { tables }) => [
    `xa start '${id}'`,
    `insert into t${1 + below(tables)} (k, c, pad) values (${below(1000)}, 'c', 'pad')`,
    `xa end '${id}'`,
    `xa prepare '${id}'`,
    `xa commit '${id}'`,
  ],
  wide_insert: () => ["insert into wide (c) values (repeat('x', 6000))"],
};
