// Defines the version of the engine, as window.latchscope.state() returns it.

/** Result of the engine's `version`. */
export interface EngineVersion {
  version: string;
  platform: string;
  build: string;
  abi_hash: number;
  run_spec_version: number;
  run_result_version: number;
  layout_hash: number;
  clients_max: number;
}
