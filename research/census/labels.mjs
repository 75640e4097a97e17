// Checks variants' labels against the census. Labels name server versions ("MySQL 8.0 to 9.7",
// "MariaDB 10.11"), and the census maps each server to a variant. The two must agree.
import { fault, oneOf } from '../../tools/field-faults.mjs';

const NAMED = /\b(MySQL|MariaDB) (\d[\dx.]*(?:(?:, | and | to )\d[\dx.]*)*)/g;
const products = { mysql: 'MySQL', mariadb: 'MariaDB' };

/**
 * Returns whether a label names a server.
 * @param {string} origin such as "MySQL 5.6, 5.7; MariaDB 10.11"
 * @param {string} server such as mysql-5.6, or mysql-9 where the census has one server of the major
 *   version
 */
export function names(origin, server) {
  const [product, version] = server.split('-');
  return [...origin.matchAll(NAMED)].some(
    ([, named, versions]) =>
      named === products[product] &&
      versions.split(/, | and /).some((range) => covers(range, versionOf(version))),
  );
}

function covers(range, version) {
  const [first, last = first] = range.split(' to ').map(versionOf);
  return compare(first, version) <= 0 && compare(version, last) <= 0;
}

/** Parses the major and minor version. An x or a missing part matches any. */
const versionOf = (text) =>
  text
    .split('.')
    .slice(0, 2)
    .map((part) => (/^\d+$/.test(part) ? Number(part) : null));

function compare([major, minor = null], [otherMajor, otherMinor = null]) {
  if (major !== otherMajor) return major - otherMajor;
  return minor === null || otherMinor === null ? 0 : minor - otherMinor;
}

/**
 * If variants of a knob name the server, its design must select one of those. A variant with the
 * origin "ours" or "Latchscope" models no server.
 */
export function labelFaults(server, design, knobs) {
  return knobs.flatMap(({ id, variants }) => {
    const standing = variants.find((variant) => variant.id === design[id]);
    const naming = variants.filter(({ origin }) => names(origin, server)).map((variant) => variant.id);
    const isOurs = /^(ours|Latchscope)\b/.test(standing?.origin ?? '');
    if (!isOurs && (naming.length === 0 || naming.includes(design[id]))) return [];
    const allowed = naming.length > 0 ? oneOf(naming) : 'a variant that was shipped';
    return [
      fault(`variants.${server}.${id}`, design[id], `${allowed}, according to "origin" in the manifest`),
    ];
  });
}
