// Folds MySQL's slow query log: of statements that were slow at the same time, all waited for one.

/** Lines as the server wrote them, or several statements that were slow at the same time. */
type LogPart = { kind: 'lines'; lines: readonly string[] } | Convoy;

/** Statements that overlap in time. The others waited for the longest one. */
export interface Convoy {
  kind: 'convoy';
  longest: SlowEntry;
  /** In the order of the log. */
  others: readonly SlowEntry[];
}

interface SlowEntry {
  lines: readonly string[];
  session: string;
  tookS: number;
  endedS: number;
}

/** Fewer statements are not folded. */
const FOLDED_FROM = 3;
const ENTRY_LINES = 5;
const timePattern = /^# Time: \d+-\d+-\d+T(\d+):(\d+):(\d+\.\d+)Z$/;
const sessionPattern = /\bId:\s*(\d+)$/;
const queryTimePattern = /^# Query_time: (\d+\.\d+)\b/;

export function foldSlowLog(lines: readonly string[]): LogPart[] {
  const parts: LogPart[] = [];
  let convoy: SlowEntry[] = [];
  let plain: string[] = [];
  const endPlain = () => {
    if (plain.length > 0) parts.push({ kind: 'lines', lines: plain });
    plain = [];
  };
  const endConvoy = () => {
    if (convoy.length >= FOLDED_FROM) {
      endPlain();
      parts.push(convoyOf(convoy));
    } else {
      plain.push(...convoy.flatMap((entry) => entry.lines));
    }
    convoy = [];
  };
  for (let at = 0; at < lines.length;) {
    const entry = entryAt(lines, at);
    if (entry === null) {
      endConvoy();
      plain.push(lines[at]!);
      at += 1;
      continue;
    }
    if (!convoy.some((other) => overlap(other, entry))) endConvoy();
    convoy.push(entry);
    at += ENTRY_LINES;
  }
  endConvoy();
  endPlain();
  return parts;
}

/** Returns null if no complete entry begins here. */
function entryAt(lines: readonly string[], at: number): SlowEntry | null {
  const time = timePattern.exec(lines[at]!);
  const session = sessionPattern.exec(lines[at + 1] ?? '');
  const took = queryTimePattern.exec(lines[at + 2] ?? '');
  if (time === null || session === null || took === null || lines.length < at + ENTRY_LINES) return null;
  const [, hours, minutes, seconds] = time;
  return {
    lines: lines.slice(at, at + ENTRY_LINES),
    session: session[1]!,
    tookS: Number(took[1]),
    endedS: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
  };
}

const overlap = (a: SlowEntry, b: SlowEntry) =>
  a.endedS > b.endedS - b.tookS && b.endedS > a.endedS - a.tookS;

function convoyOf(entries: readonly SlowEntry[]): Convoy {
  const longest = entries.reduce((most, entry) => (entry.tookS > most.tookS ? entry : most));
  return { kind: 'convoy', longest, others: entries.filter((entry) => entry !== longest) };
}
