/**
 * Checks, before the set-up runs a file, that only this user and root can have written it.
 * Otherwise other users could run code with this user's rights.
 */

import { existsSync, lstatSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { SetupError } from './progress.mjs';

const ROOT_ID = 0;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;
const STICKY = 0o1000;
const LINKS_MAX = 40;
const GROUPS = '/etc/group';
const SHARED = 'is writable by other users';

/**
 * Throws SetupError if another user could have written or could replace the file or folder. A path
 * that does not exist is trusted if only this user can create it.
 * @param {string} path
 * @param {string} [root] a folder that contains `path`; at this folder and below, other users must
 *   not be able to write, even in sticky folders
 */
export function requireTrusted(path, root = path) {
  let left = LINKS_MAX;
  const check = (place) => {
    if (place === dirname(place)) return;
    check(dirname(place));
    const facts = lstatSync(place, { throwIfNoEntry: false });
    if (facts === undefined) return;
    const fault = faultOf(facts);
    if (fault !== null) throw distrust(path, place, fault);
    if (!facts.isSymbolicLink()) return;
    if (left-- === 0) throw distrust(path, place, 'is a circular link');
    check(resolve(dirname(place), readlinkSync(place)));
  };
  check(resolve(path));
  for (let place = resolve(path); `${place}/`.startsWith(join(resolve(root), '/')); place = dirname(place)) {
    const facts = statSync(place, { throwIfNoEntry: false });
    if (facts !== undefined && canOthersWrite(facts)) throw distrust(path, place, SHARED);
    if (place === dirname(place)) return;
  }
}

/**
 * Returns why an entry cannot be trusted, or null. In a sticky folder such as /tmp, users cannot
 * change each other's entries, so a sticky folder may be writable by others.
 */
function faultOf(facts) {
  if (![ROOT_ID, process.getuid()].includes(facts.uid)) return `belongs to another user (id ${facts.uid})`;
  const isSticky = facts.isDirectory() && (facts.mode & STICKY) !== 0;
  return canOthersWrite(facts) && !isSticky && !facts.isSymbolicLink() ? SHARED : null;
}

function canOthersWrite({ mode, gid }) {
  if ((mode & OTHERS_WRITE) !== 0) return true;
  return (mode & GROUP_WRITES) !== 0 && gid !== ROOT_ID && !isOwnGroup(gid);
}

/** Some systems give each user a private group of the same name that may write the user's files. */
function isOwnGroup(gid) {
  const { username } = userInfo();
  const lines = existsSync(GROUPS) ? readFileSync(GROUPS, 'utf8').split('\n') : [];
  const [name, , , members] = lines.map((line) => line.split(':')).find(([, , id]) => id === `${gid}`) ?? [];
  return name === username && gid === process.getgid() && ['', username].includes(members);
}

function distrust(path, place, fault) {
  const subject = place === resolve(path) ? place : `${place}, which leads to ${path},`;
  return new SetupError(
    `${subject} ${fault}, so nothing in it is run`,
    'set LATCHSCOPE_CACHE to a folder that you own and that only you can write to, or remove this one',
  );
}
