// A latch as the engine takes it (wasm-engine/lab/program.h), and what the page knows of it besides.

/** Where a local's value is: in a register, from one instruction up to before another. */
export interface LabLocal {
  name: string;
  register: number;
  begin: number;
  end: number;
}
