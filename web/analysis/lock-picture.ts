// Computes the lock picture: cores, the latch's cache line, its words and its queue at one moment.
import type { ServerShape } from '../contract/servers';
import type { LatchEvent } from '../contract/telemetry-states';
import type { Wanting } from '../recording/latch-state';
import { formatDurationNs } from './format';
import type { LatchMoment } from './latch-moment';
import { isOfLab, latchWord, latchWords, type DeclaredWord, type WordInWords } from './latch-words';

type CoreRole = 'holds' | 'asks' | 'spins';

export interface CoreSeen {
  core: number;
  /**
   * Threads on this core that hold or want the latch, most important first. A core with siblings
   * can have several.
   */
  threads: { slot: number; role: CoreRole }[];
  /** The core has the line exclusively, has a copy, or has none. */
  line: 'owner' | 'copy' | null;
}

/** The line is moving from one core to another. */
export interface LineTransfer {
  from: number;
  to: number;
  tookNs: number;
}

/** An access that has requested the line. */
interface Asking {
  slot: number;
  core: number;
  /** Time until it gets the line. */
  inNs: number;
}

export interface LockPicture {
  sockets: CoreSeen[][];
  words: WordInWords[];
  /**
   * The latch's first word says that no thread holds it. This becomes true shortly after the
   * release.
   */
  isWordFree: boolean;
  /** The page knows which value of the word means that no thread holds the latch. */
  tellsWordFree: boolean;
  /** The transfer in flight: the first pending access that takes the line from its owner. */
  transfer: LineTransfer | null;
  /** Location of the line, in words. */
  line: string;
  /** In the order in which they get the line. */
  asking: Asking[];
  spinning: Wanting[];
  sleeping: Wanting[];
  /** The next holder, and the time until then. */
  next: { slot: number; inNs: number } | null;
}

/**
 * Returns the picture of one latch at one moment. `declared`: words of the reader's lab latch;
 * empty if the run has none.
 */
export function lockPicture(
  moment: LatchMoment,
  latchClass: number,
  server: ServerShape,
  declared: readonly DeclaredWord[] = [],
): LockPicture {
  const { wanting, asking, nextHold, atNs } = moment;
  const words = latchWords({ latch_class: latchClass, line: moment.line, declared }, moment.words);
  return {
    sockets: socketsSeen(moment, server),
    words,
    isWordFree: words[0]?.meaning === 'free',
    tellsWordFree: !isOfLab(latchClass),
    transfer: transferOf(moment),
    line: lineInWords(moment, server),
    asking: asking.map((event) => ({
      slot: event.slot,
      core: event.access!.core,
      inNs: event.at_ns - atNs,
    })),
    spinning: wanting.filter(({ isAsleep }) => !isAsleep),
    sleeping: wanting.filter(({ isAsleep }) => isAsleep),
    next: nextHold === null ? null : { slot: nextHold.slot, inNs: nextHold.fromNs - atNs },
  };
}

function socketsSeen(moment: LatchMoment, { sockets, cores_per_socket }: ServerShape): CoreSeen[][] {
  const onCore = new Map<number, CoreSeen['threads']>();
  const placed = new Set<number>();
  const place = (slot: number, role: CoreRole) => {
    const core = moment.coreOf(slot);
    if (core === null || placed.has(slot)) return;
    placed.add(slot);
    onCore.set(core, [...(onCore.get(core) ?? []), { slot, role }]);
  };
  for (const { slot } of moment.holders) place(slot, 'holds');
  for (const { slot } of moment.asking) place(slot, 'asks');
  for (const { slot, isAsleep } of moment.wanting) if (!isAsleep) place(slot, 'spins');
  const lineAt = (core: number) => {
    if (moment.owner === core) return 'owner' as const;
    return moment.copies.includes(core) ? ('copy' as const) : null;
  };
  const coreSeen = (core: number): CoreSeen => ({
    core,
    threads: onCore.get(core) ?? [],
    line: lineAt(core),
  });
  const coresOf = (socket: number) =>
    Array.from({ length: cores_per_socket }, (_, i) => coreSeen(socket * cores_per_socket + i));
  return Array.from({ length: sockets }, (_, socket) => coresOf(socket));
}

function transferOf({ asking, owner }: LatchMoment): LineTransfer | null {
  const first = asking[0]?.access;
  if (first === null || first === undefined || owner === null || first.core === owner) return null;
  return { from: owner, to: first.core, tookNs: first.took_ns };
}

function lineInWords({ owner, copies }: LatchMoment, { cores_per_socket }: ServerShape): string {
  const socketOf = (core: number) => Math.floor(core / cores_per_socket);
  if (owner !== null) return `core ${owner} on socket ${socketOf(owner)} has the only copy, modified`;
  if (copies.length === 0) return 'no access recorded yet';
  return copies.length === 1 ? `core ${copies[0]} has a copy` : `${copies.length} cores have a copy`;
}

const verbs: Record<LatchEvent['kind'], string> = {
  wants: 'fails to acquire the latch',
  sleeps: 'goes to sleep',
  wakes: 'wakes and tries again',
  gets: 'acquires the latch',
  gives_back: 'releases the latch',
  load: 'reads',
  poll: 'polls',
  store: 'stores to',
  read_modify_write: 'changes',
  failed_compare_exchange: 'fails to change',
};

/**
 * Returns text such as "client 3, core 12, changes lock_word to 0x00000001 (held): 110 ns, the line
 * came from core 31".
 */
export function latchEventInWords(
  event: LatchEvent,
  thread: string,
  declared: readonly DeclaredWord[] = [],
): string {
  const { access } = event;
  if (access === null) return `${thread} ${verbs[event.kind]}`;
  const word = latchWord({ ...access, declared }, access.word, access.value);
  const isChange = event.kind === 'read_modify_write' || event.kind === 'store';
  const value = `${isChange ? 'to' : 'and reads'} ${word.hex} (${word.meaning})`;
  const from =
    access.from_core === null || access.from_core === access.core
      ? ''
      : `, line from core ${access.from_core}`;
  return `${thread}, core ${access.core}, ${verbs[event.kind]} ${word.name} ${value}: ${formatDurationNs(access.took_ns)}${from}`;
}
