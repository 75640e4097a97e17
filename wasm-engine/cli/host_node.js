// The imports of host_node.cc, and the system calls that the C library makes of JavaScript. Each one
// passes its arguments on to `Module.host`, which tools/node-engine provides. Files and paths are those
// of Node.js.
//
// Emscripten's own file system for Node.js, NODERAWFS, does not fit. It gives each file a position,
// which a pipe does not have. And it waits without limit for the writer of a named pipe.
/* global addToLibrary, ERRNO_CODES, HEAP32, HEAPF64, HEAPU32, HEAPU8, Module, UTF8ToString */
/* global intArrayFromString, updateMemoryViews, wasmMemory */
/* global __emscripten_stack_restore, _latchscope_run_copy, hostBytes, hostResult, hostTransfer */
addToLibrary({
  // Calls a function that throws an error of Node.js on failure. Returns the negated error number.
  $hostResult__deps: ['$ERRNO_CODES'],
  $hostResult: (call) => {
    try {
      return call();
    } catch (error) {
      if (typeof error?.code !== 'string') throw error;
      return -(ERRNO_CODES[error.code] ?? ERRNO_CODES.EIO);
    }
  },
  $hostBytes: (address, size) => HEAPU8.subarray(address >>> 0, (address >>> 0) + (size >>> 0)),

  latchscope_host_process_id: () => Module['host'].processId(),
  latchscope_host_cores: () => Module['host'].cores(),
  latchscope_host_start_copy__deps: ['$hostBytes', '$copyMemory', '$runCopy'],
  latchscope_host_start_copy: (work, stackPointer, memoryEnd) =>
    Module['host'].startCopy({ work, stackPointer, memory: hostBytes(0, memoryEnd) }),
  latchscope_host_end_copy: (copy) => Module['host'].endCopy(copy),
  latchscope_host_read__deps: ['$hostBytes'],
  latchscope_host_read: (connection, bytes, size) => Module['host'].read(connection, hostBytes(bytes, size)),
  latchscope_host_write__deps: ['$hostBytes'],
  latchscope_host_write: (connection, bytes, size) =>
    Module['host'].write(connection, hostBytes(bytes, size)),
  latchscope_host_await_one: (copies, count) =>
    Module['host'].awaitOne([...HEAP32.subarray(copies >>> 2, (copies >>> 2) + count)]),
  latchscope_host_exit_code: (copy) => Module['host'].exitCode(copy),
  latchscope_host_end_with_parent: (parent) => Module['host'].endWithParent(parent),
  latchscope_host_run_begins: () => Module['host'].runBegins(),
  latchscope_host_first_signal: () => Module['host'].firstSignal(),
  latchscope_host_remove_at_end__deps: ['$UTF8ToString'],
  latchscope_host_remove_at_end: (path) => Module['host'].removeAtEnd(UTF8ToString(path)),

  // These two make this module a copy of another one and run its work. They are apart so that
  // the caller can free the memory's image before the run.
  $copyMemory: (memory) => {
    const missing = memory.length - HEAPU8.length;
    if (missing > 0) {
      wasmMemory.grow(Math.ceil(missing / 65536));
      updateMemoryViews();
    }
    HEAPU8.set(memory);
  },
  $runCopy__deps: ['_emscripten_stack_restore'],
  $runCopy: (work, stackPointer) => {
    __emscripten_stack_restore(stackPointer);
    _latchscope_run_copy(work);
  },

  latchscope_host_open__deps: ['$hostResult', '$UTF8ToString'],
  latchscope_host_open: (path, flags, mode) =>
    hostResult(() => Module['host'].files.open(UTF8ToString(path), UTF8ToString(flags), mode)),
  latchscope_host_status__deps: ['$hostResult', '$UTF8ToString'],
  latchscope_host_status: (path, file, followsLinks, mode, size) =>
    hostResult(() => {
      const { fstat, lstat, stat } = Module['host'].files;
      const status =
        path === 0 ? fstat(file) : followsLinks ? stat(UTF8ToString(path)) : lstat(UTF8ToString(path));
      HEAPU32[mode >>> 2] = status.mode;
      HEAPF64[size >>> 3] = status.size;
      return 0;
    }),
  latchscope_host_await_input__deps: ['$hostResult'],
  latchscope_host_await_input: (file, timeoutMs) =>
    hostResult(() => Number(Module['host'].files.awaitInput(file, timeoutMs))),

  __syscall_readlinkat__deps: ['$hostResult', '$UTF8ToString', '$intArrayFromString'],
  __syscall_readlinkat: (folder, path, target, size) =>
    hostResult(() => {
      const link = Module['host'].files.readlink(UTF8ToString(path));
      const bytes = intArrayFromString(link, true).slice(0, size);
      HEAPU8.set(bytes, target >>> 0);
      return bytes.length;
    }),
  __syscall_unlinkat__deps: ['$hostResult', '$UTF8ToString'],
  __syscall_unlinkat: (folder, path, flags) =>
    hostResult(() => Module['host'].files.unlink(UTF8ToString(path))),
  __syscall_renameat__deps: ['$hostResult', '$UTF8ToString'],
  __syscall_renameat: (fromFolder, from, toFolder, to) =>
    hostResult(() => Module['host'].files.rename(UTF8ToString(from), UTF8ToString(to))),
  __syscall_fchmod__deps: ['$hostResult'],
  __syscall_fchmod: (file, mode) => hostResult(() => Module['host'].files.fchmod(file, mode)),
  __syscall_faccessat__deps: ['$hostResult', '$UTF8ToString'],
  __syscall_faccessat: (folder, path, mode, flags) =>
    hostResult(() => Module['host'].files.access(UTF8ToString(path), mode)),
  // Only F_GETFD has an effect: Node.js cannot change the flags of an open file.
  __syscall_fcntl64__deps: ['$hostResult'],
  __syscall_fcntl64: (file, command, varargs) =>
    hostResult(() => {
      Module['host'].files.fstat(file);
      return 0;
    }),
  // The C library only asks whether a file is a terminal: type 2 of 24 bytes of properties.
  fd_fdstat_get__deps: [],
  fd_fdstat_get: (file, properties) => {
    HEAPU8.fill(0, properties >>> 0, (properties >>> 0) + 24);
    HEAPU8[properties >>> 0] = Module['host'].files.isatty(file) ? 2 : 0;
    return 0;
  },

  // Transfers an array of `iovec`: address and size, 4 bytes each.
  $hostTransfer__deps: ['$hostResult', '$hostBytes'],
  $hostTransfer: (transfer, vectors, count, done) => {
    const words = HEAPU32.subarray(vectors >>> 2, (vectors >>> 2) + 2 * count);
    let sum = 0;
    for (let i = 0; i < words.length; i += 2) {
      if (words[i + 1] === 0) continue;
      const part = hostResult(() => transfer(hostBytes(words[i], words[i + 1])));
      if (part < 0 && sum === 0) return -part;
      if (part > 0) sum += part;
      if (part < words[i + 1]) break;
    }
    HEAPU32[done >>> 2] = sum;
    return 0;
  },
  fd_write__deps: ['$hostTransfer'],
  fd_write__postset: '',
  fd_write: (file, vectors, count, done) =>
    hostTransfer((bytes) => Module['host'].files.write(file, bytes), vectors, count, done),
  fd_read__deps: ['$hostTransfer'],
  fd_read: (file, vectors, count, done) =>
    hostTransfer((bytes) => Module['host'].files.read(file, bytes), vectors, count, done),
  fd_close__deps: ['$hostResult'],
  fd_close: (file) => -hostResult(() => Module['host'].files.close(file)),
  fd_sync__deps: ['$hostResult'],
  fd_sync: (file) => -hostResult(() => Module['host'].files.fsync(file)),
  fd_sync__async: false,
  fd_seek__deps: ['$ERRNO_CODES'],
  fd_seek: (file, offset, whence, position) => ERRNO_CODES.ESPIPE,
});
