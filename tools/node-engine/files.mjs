// The system calls of the command line's C library, over node:fs. All are synchronous, and errors of
// Node.js reach the caller. File descriptors are those of the process.
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { isatty } from 'node:tty';

const LOOK_MS = 5;

/** Bytes that `awaitInput` has read ahead, by file. */
const readAhead = new Map();

function pause(ms) {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** Returns the number of bytes; 0: the end of the file. */
function readNow(file, target) {
  try {
    return readSync(file, target);
  } catch (error) {
    if (error.code === 'EOF') return 0; // a closed pipe on Windows
    throw error;
  }
}

const done =
  (call) =>
  (...args) => {
    call(...args);
    return 0;
  };

export const files = {
  isatty,
  stat: statSync,
  lstat: lstatSync,
  fstat: fstatSync,
  readlink: readlinkSync,
  unlink: done(unlinkSync),
  rename: done(renameSync),
  fchmod: done(fchmodSync),
  access: done(accessSync),
  fsync: done(fsyncSync),

  /** @param {string} flags names of `fs.constants`; Windows lacks some of them */
  open(path, flags, mode) {
    const bits = flags.split(' ').reduce((sum, name) => sum | (constants[name] ?? 0), constants.O_RDONLY);
    return openSync(path, bits, mode);
  },

  close(file) {
    readAhead.delete(file);
    closeSync(file);
    return 0;
  },

  read(file, target) {
    const ahead = readAhead.get(file);
    if (ahead === undefined) return readNow(file, target);
    const part = ahead.copy(target);
    if (part < ahead.length) readAhead.set(file, ahead.subarray(part));
    else readAhead.delete(file);
    return part;
  },

  /** Waits while a pipe is full, also if another process has made it non-blocking. */
  write(file, source) {
    for (;;) {
      try {
        return writeSync(file, source);
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error;
        pause(LOOK_MS);
      }
    }
  },

  /**
   * Waits until a pipe has input. Node.js cannot ask for that without reading.
   * @param {number} timeoutMs negative: no timeout
   * @returns {boolean} whether there is input
   */
  awaitInput(file, timeoutMs) {
    const until = timeoutMs < 0 ? Infinity : performance.now() + timeoutMs;
    const buffer = Buffer.alloc(4096);
    while (!readAhead.has(file)) {
      const bytes = readOrNothing(file, buffer);
      if (bytes > 0) readAhead.set(file, buffer.subarray(0, bytes));
      else if (bytes === 0 && timeoutMs < 0)
        return true; // the end
      else if (performance.now() >= until) return false;
      else pause(LOOK_MS);
    }
    return true;
  },
};

/** Returns the number of bytes; 0: no process writes to the pipe; -1: none yet. */
function readOrNothing(file, buffer) {
  try {
    return readNow(file, buffer);
  } catch (error) {
    if (error.code === 'EAGAIN') return -1;
    throw error;
  }
}
