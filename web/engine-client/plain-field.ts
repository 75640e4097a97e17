// Reads and writes fields of records in the engine's memory layout: lanes and latch events. The
// engine declares the type of each field (wasm-engine/telemetry/plain_record.h).

/** A field as contract/gen/telemetry-layout.ts describes it. */
export interface PlainField {
  readonly offset: number;
  readonly type: 'u8' | 'u16' | 'u32' | 'u64';
  /** Number of values in the field. */
  readonly count: number;
}

/**
 * Reads a field of the record at `at`. Returns a u64 as a double: exact below 2^53, which no time
 * here reaches.
 */
export function readField(view: DataView, at: number, { offset, type }: PlainField, index = 0): number {
  switch (type) {
    case 'u8':
      return view.getUint8(at + offset + index);
    case 'u16':
      return view.getUint16(at + offset + 2 * index, true);
    case 'u32':
      return view.getUint32(at + offset + 4 * index, true);
    case 'u64':
      // Does not use BigInt: hundreds of thousands of values per second would each become garbage.
      return (
        view.getUint32(at + offset + 8 * index, true) +
        view.getUint32(at + offset + 8 * index + 4, true) * 2 ** 32
      );
  }
}

/**
 * Returns a function that reads one field of record number n. Reads are fast because the views are
 * created only once. WebAssembly memory is little-endian, and so is every machine that runs it.
 */
export function fieldOfRecords(
  records: ArrayBuffer,
  recordBytes: number,
  { offset, type }: PlainField,
): (record: number) => number {
  switch (type) {
    case 'u8': {
      const bytes = new Uint8Array(records);
      return (record) => bytes[record * recordBytes + offset]!;
    }
    case 'u16': {
      const halves = new Uint16Array(records);
      const [step, first] = [recordBytes / 2, offset / 2];
      return (record) => halves[record * step + first]!;
    }
    case 'u32': {
      const words = new Uint32Array(records);
      const [step, first] = [recordBytes / 4, offset / 4];
      return (record) => words[record * step + first]!;
    }
    case 'u64': {
      const words = new Uint32Array(records);
      const [step, first] = [recordBytes / 4, offset / 4];
      return (record) => words[record * step + first]! + words[record * step + first + 1]! * 2 ** 32;
    }
  }
}

export function writeField(
  view: DataView,
  at: number,
  { offset, type }: PlainField,
  value: number,
  index = 0,
): void {
  switch (type) {
    case 'u8':
      view.setUint8(at + offset + index, value);
      break;
    case 'u16':
      view.setUint16(at + offset + 2 * index, value, true);
      break;
    case 'u32':
      view.setUint32(at + offset + 4 * index, value, true);
      break;
    case 'u64':
      view.setBigUint64(at + offset + 8 * index, BigInt(value), true);
      break;
  }
}
