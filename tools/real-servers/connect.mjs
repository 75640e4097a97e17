// Connections to a server through mysql2. It is the only client library that speaks to every version since
// 5.6 over a Unix socket without an extra program.
import { createConnection } from 'mysql2/promise';

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * @typedef {{ socketPath?: string, host?: string, port?: number, user: string, password?: string, database?: string }} Address
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
