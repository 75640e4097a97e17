// Describes a latch program as the engine takes it (wasm-engine/lab/program.h), and the page's
// additions.

/** The register of a local, valid from instruction `begin` up to before `end`. */
export interface LabLocal {
  name: string;
  register: number;
  begin: number;
  end: number;
}
