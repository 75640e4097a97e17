// Connects to a server through mysql2, the only client library that supports every version since
// 5.6 over a Unix socket without another program.
import { createConnection } from 'mysql2/promise';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * @typedef {{ socketPath?: string, host?: string, port?: number, user: string, password?: string,
 *   database?: string }} Address
 */

/** @param {Address} address */
export function connect(address) {
  return createConnection({
    ...address,
    connectTimeout: CONNECT_TIMEOUT_MS,
    supportBigNumbers: true,
    multipleStatements: true,
  });
}

/** @param {Address} address */
export const described = ({ socketPath, host, port }) => socketPath ?? `${host}:${port}`;
