// Start-up options of local servers that all experiments share.

/**
 * @typedef {object} ServerKind
 * @property {string} name such as mysql-5.6
 * @property {boolean} isMariaDb
 * @property {(major: number, minor?: number) => boolean} isBefore
 */

/**
 * @param {string} name such as mysql-5.6
 * @returns {ServerKind}
 */
export function serverKind(name) {
  const [family, version] = name.split('-');
  const [major, minor = 0] = version.split('.').map(Number);
  return {
    name,
    isMariaDb: family === 'mariadb',
    isBefore: (otherMajor, otherMinor = 0) =>
      major < otherMajor || (major === otherMajor && minor < otherMinor),
  };
}

/**
 * @param {string} version as the server reports it, such as 10.11.19-MariaDB-log
 * @returns {string} the name of its series, such as mariadb-10.11; for MySQL since 9 only the major
 *   version, such as mysql-9
 */
export function seriesOf(version) {
  const [major, minor] = version.split('.');
  if (/mariadb/i.test(version)) return `mariadb-${major}.${minor}`;
  return Number(major) >= 9 ? `mysql-${major}` : `mysql-${major}.${minor}`;
}

/** @param {ServerKind} server */
export const commonOptions = (server) => [
  '--innodb_file_per_table=1',
  '--innodb_adaptive_hash_index=OFF',
  '--innodb_buffer_pool_load_at_startup=OFF',
  '--innodb_buffer_pool_dump_at_shutdown=OFF',
  ...(server.name === 'mysql-9' ? ['--innodb_redo_log_capacity=128M'] : ['--innodb_log_file_size=48M']),
];

/**
 * Options for the binary log as in #104615 and #99638: each group is synced, and GTIDs are on if
 * the server has them.
 */
export const binlogOptions = (server) => [
  ...commonOptions(server),
  '--innodb_buffer_pool_size=128M',
  '--log-bin=binlog',
  '--server-id=1',
  '--sync_binlog=1',
  '--binlog_format=ROW',
  ...gtidOptions(server),
];

function gtidOptions({ isMariaDb, isBefore }) {
  if (isMariaDb) return [];
  const options = ['--gtid-mode=ON', '--enforce-gtid-consistency=ON'];
  return isBefore(5, 7) ? [...options, '--log-slave-updates'] : options;
}
