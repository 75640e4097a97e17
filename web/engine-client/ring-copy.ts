/**
 * A ring of equally sized records in a module's memory. Record n is at index n modulo `records`.
 */
export interface Ring {
  address: number;
  records: number;
  recordBytes: number;
}

/**
 * Copies the records from number `first` up to, but not including, number `written`. `roomFor` may
 * return a larger buffer than requested.
 * REQUIRES: none of these records has been overwritten.
 */
export function copyOfRing(
  memory: ArrayBuffer,
  { address, records, recordBytes }: Ring,
  first: number,
  written: number,
  roomFor: (bytes: number) => ArrayBuffer = (bytes) => new ArrayBuffer(bytes),
): Uint8Array<ArrayBuffer> {
  const bytes = (written - first) * recordBytes;
  const copy = new Uint8Array(roomFor(bytes), 0, bytes);
  const ring = new Uint8Array(memory, address, records * recordBytes);
  const start = (first % records) * recordBytes;
  const head = ring.subarray(start, Math.min(ring.length, start + copy.length));
  copy.set(head);
  copy.set(ring.subarray(0, copy.length - head.length), head.length);
  return copy;
}
