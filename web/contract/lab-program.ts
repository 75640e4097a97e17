// Generated from program.h and fault_kinds.h of wasm-engine/lab by the build. Do not edit.
export const lab_limits = {
  instructions_max: 1024,
  words_max: 32,
  elements_max: 256,
  registers_max: 64,
  words_on_line_max: 16,
  name_length_max: 40,
  source_lines_max: 2000,
  threads_max: 1024,
} as const;
export const lab_registers = { thread_number: 0, threads: 1, first_free: 2, no_index: 255 } as const;
/** A line of a latch in its trace: declared line << lab_line_element_bits | element. */
export const lab_line_element_bits = 11;
export const lab_functions = ['enter', 'exit', 'enter_shared', 'exit_shared', 'client', 'at_end', ] as const;
/** Indexed by operation number. */
export const lab_operations = [
  { name: 'constant', has_target: true, has_a: false, has_b: false, immediate: 'number' },
  { name: 'copy', has_target: true, has_a: true, has_b: false, immediate: 'nothing' },
  { name: 'add', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'subtract', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'multiply', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'divide', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'remainder', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'bit_and', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'bit_or', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'bit_xor', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'shift_left', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'shift_right', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'equal', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'not_equal', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'less', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'less_or_equal', has_target: true, has_a: true, has_b: true, immediate: 'nothing' },
  { name: 'jump', has_target: false, has_a: false, has_b: false, immediate: 'place' },
  { name: 'jump_if_zero', has_target: false, has_a: true, has_b: false, immediate: 'place' },
  { name: 'jump_if_not_zero', has_target: false, has_a: true, has_b: false, immediate: 'place' },
  { name: 'random', has_target: true, has_a: true, has_b: false, immediate: 'nothing' },
  { name: 'check', has_target: false, has_a: true, has_b: false, immediate: 'nothing' },
  { name: 'call', has_target: false, has_a: false, has_b: false, immediate: 'function' },
  { name: 'give_back', has_target: false, has_a: false, has_b: false, immediate: 'nothing' },
  { name: 'pause', has_target: false, has_a: true, has_b: false, immediate: 'nothing' },
  { name: 'yield', has_target: false, has_a: false, has_b: false, immediate: 'nothing' },
  { name: 'fence', has_target: false, has_a: false, has_b: false, immediate: 'nothing' },
  { name: 'load', has_target: true, has_a: false, has_b: false, immediate: 'word' },
  { name: 'store', has_target: false, has_a: true, has_b: false, immediate: 'word' },
  { name: 'exchange', has_target: true, has_a: true, has_b: false, immediate: 'word' },
  { name: 'compare_exchange', has_target: true, has_a: true, has_b: true, immediate: 'word' },
  { name: 'fetch_add', has_target: true, has_a: true, has_b: false, immediate: 'word' },
  { name: 'fetch_sub', has_target: true, has_a: true, has_b: false, immediate: 'word' },
  { name: 'fetch_and', has_target: true, has_a: true, has_b: false, immediate: 'word' },
  { name: 'fetch_or', has_target: true, has_a: true, has_b: false, immediate: 'word' },
  { name: 'fetch_xor', has_target: true, has_a: true, has_b: false, immediate: 'word' },
  { name: 'futex_wait', has_target: false, has_a: true, has_b: false, immediate: 'word' },
  { name: 'futex_wake', has_target: true, has_a: true, has_b: false, immediate: 'word' },
] as const;
/** The faults that a check can find. */
export const lab_faults = [
  'mutual_exclusion',
  'deadlock',
  'lost_wake_up',
  'exit_without_enter',
  'check_failed',
  'index_too_large',
  'division_by_zero',
  'no_access',
  'no_end',
  'starvation',
] as const;
