// Generated from wasm-engine/run/limits.h by the build. Do not edit.
export const engine_limits = {
  duration_s: { min: 1e-06, max: 3600 },
  interval_s: { min: 0.001, max: 60 },
  intervals_max: 36000,
  seed_max: 9007199254740991,
  events_max: 1000000000000,
  stack_samples_max: 1000,
  timed_actions_max: 256,
  what_if_percent_max: 200,
  what_if_latches_max: 32,
  repeated_seeds_max: 30,
  what_if_top_max: 64,
  clients_max: { threads: 64, virtual: 1024 },
  server_cpus_max: 256,
} as const;
