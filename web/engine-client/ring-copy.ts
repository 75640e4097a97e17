/** A ring of records of one size in a module's memory: record number n is at n modulo `records`. */
export interface Ring {
  address: number;
  records: number;
  record_bytes: number;
}

/**
 * The records from number `first` on, up to the one that is written next; none of them has been overwritten. `roomFor` so many
 * bytes may be larger than that.
 */
export function copyOfRing(
  memory: ArrayBuffer,
  { address, records, record_bytes }: Ring,
  first: number,
  written: number,
  roomFor: (bytes: number) => ArrayBuffer = (bytes) => new ArrayBuffer(bytes),
): Uint8Array<ArrayBuffer> {
  const bytes = (written - first) * record_bytes;
  const copy = new Uint8Array(roomFor(bytes), 0, bytes);
  const ring = new Uint8Array(memory, address, records * record_bytes);
  const start = (first % records) * record_bytes;
  const head = ring.subarray(start, Math.min(ring.length, start + copy.length));
  copy.set(head);
  copy.set(ring.subarray(0, copy.length - head.length), head.length);
  return copy;
}
