// Fields of records that the page gets as the engine laid them out in its memory: lanes and events of latches. Each is read by the
// type that the engine declares for it (wasm-engine/telemetry/plain_record.h).

/** As contract/gen/telemetry-layout.ts describes it. */
export interface PlainField {
  readonly offset: number;
  readonly type: 'u8' | 'u16' | 'u32' | 'u64';
  /** Of values. */
  readonly count: number;
}

/** Of the record at `at`. A u64 is returned as a double: exact below 2^53, which no time of ours reaches. */
export function readField(view: DataView, at: number, { offset, type }: PlainField, index = 0): number {
  switch (type) {
    case 'u8':
      return view.getUint8(at + offset + index);
    case 'u16':
      return view.getUint16(at + offset + 2 * index, true);
    case 'u32':
      return view.getUint32(at + offset + 4 * index, true);
    case 'u64':
      // Not as a BigInt: there are hundreds of thousands of them a second, and each would be garbage.
      return (
        view.getUint32(at + offset + 8 * index, true) +
        view.getUint32(at + offset + 8 * index + 4, true) * 2 ** 32
      );
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
