// Draws a latch at one moment: its holders and waiters, where each of them is, and its words. The
// picture does not move; it is drawn again for the next moment. The caller supplies the data from a
// run on the modeled server or from a schedule of the checker.
import { ownerColor } from '../charts/latch-track';
import './latch-picture.css';

const GAP_PX = 4;
const GROUP_GAP_PX = 18;
const TITLE_PX = 18;
const LINE_PX = 12;
const NAMED_MAX = 12;

const roles = {
  holds: { title: 'holds the latch', fill: '--state-running' },
  asks: { title: 'requests the line', fill: '--state-stalled' },
  spins: { title: 'spins', fill: '--state-spinning' },
  sleeps: { title: 'sleeps', fill: '--state-waiting' },
  stalls: { title: 'waits for its own stores', fill: '--state-stalled' },
  enters: { title: 'enters', fill: '--accent-tint' },
  exits: { title: 'releases', fill: '--place-left' },
} as const;

const marks = {
  owner: 'has the only copy',
  copy: 'has a copy',
  unseen: 'has stores not yet visible',
} as const;

export type PlaceRole = keyof typeof roles;
export type PlaceMark = keyof typeof marks;

export const roleInWords = (role: PlaceRole): string => roles[role].title;

export interface DrawnThread {
  slot: number;
  name: string;
  /** Follows the name. */
  text?: string;
}

/** Where a thread can be: a core, or a place of its own per thread. */
export interface DrawnPlace {
  number: number;
  /** Text in the place. */
  lines: readonly string[];
  role: PlaceRole | null;
  mark: PlaceMark | null;
  /** The place in words. */
  words: string;
}

export interface DrawnPlaces {
  groups: readonly { title: string; places: readonly DrawnPlace[] }[];
  inWords: string;
  widthPx: number;
  heightPx: number;
  /** Columns per group. Default: a number that makes a group somewhat wider than high. */
  columns?: number;
  /** Maximum enlargement. */
  scaleMax?: number;
  roles: readonly PlaceRole[];
  marks: readonly PlaceMark[];
  /** A transfer from one place to another. */
  transfer: { from: number; to: number; words: string } | null;
}

export interface DrawnEvent {
  title: string;
  text: string;
  isCode?: boolean;
  /** Screen readers announce its changes. */
  isTold?: boolean;
}

export interface DrawnWord {
  name: string;
  /** Null if unknown. */
  value: string | null;
  meaning: string;
  isChanged?: boolean;
}

export interface DrawnLatch {
  name: string;
  holders: readonly DrawnThread[];
  /** Follows the name while the latch is free. */
  whileFree: string;
  next: string | null;
  events: readonly DrawnEvent[];
  places: DrawnPlaces;
  /** Where its cache line is; null if it is not modeled. */
  line: string | null;
  wordsTitle: string;
  words: readonly DrawnWord[];
  queues: readonly { title: string; threads: readonly DrawnThread[] }[];
}

export function LatchPicture({ latch }: { latch: DrawnLatch }) {
  const { name, holders, whileFree, next, events, places, line, wordsTitle, words, queues } = latch;
  return (
    <div className="lock-picture">
      <div className="lock-owner">
        <strong>{name}</strong>
        {holders.length === 0 ? (
          whileFree
        ) : (
          <>
            {' '}
            is held by <Chips label="Holders" threads={holders} />
          </>
        )}
        {next !== null && <span className="lock-next">{next}</span>}
      </div>
      <Events events={events} />
      <Places places={places} />
      <Legend places={places} />
      {line !== null && <p className="lock-line">{line}</p>}
      <Words title={wordsTitle} words={words} />
      {queues.map(({ title, threads }) => (
        <div key={title} className="lock-queue">
          <h3>
            {title} <span className="muted">{threads.length === 0 ? 'no one' : threads.length}</span>
          </h3>
          {threads.length > 0 && <Chips label={title} threads={threads} />}
        </div>
      ))}
    </div>
  );
}

function Events({ events }: Pick<DrawnLatch, 'events'>) {
  return (
    <dl className="lock-events">
      {events.map(({ title, text, isCode = false, isTold = false }, i) => (
        // The first row is the latest event. Its element does not change, so that screen readers
        // announce the new text.
        <div key={i} className="lock-event-row">
          <dt>{title}</dt>
          <dd>
            {isCode ? (
              <code>{text}</code>
            ) : (
              <span className={i === 0 ? 'lock-event' : undefined} role={isTold ? 'status' : undefined}>
                {text}
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Words({ title, words }: { title: string; words: readonly DrawnWord[] }) {
  return (
    <table className="lock-words">
      <caption>{title}</caption>
      <tbody>
        {words.map(({ name, value, meaning, isChanged = false }) => (
          <tr key={name} data-changed={isChanged ? '' : undefined}>
            <th scope="row">{name}</th>
            <td className="mono">{value ?? '–'}</td>
            <td>{meaning}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/**
 * Shows the name and color of each thread; of many threads only the first ones and their number.
 */
function Chips({ label, threads }: { label: string; threads: readonly DrawnThread[] }) {
  return (
    <ul className="lock-chips" aria-label={label}>
      {threads.slice(0, NAMED_MAX).map(({ slot, name, text }, i) => (
        <li key={`${i}-${slot}`} style={{ borderColor: `var(${ownerColor(slot)})` }}>
          {name}
          {text !== undefined && <span className="muted"> {text}</span>}
        </li>
      ))}
      {threads.length > NAMED_MAX && <li className="muted">and {threads.length - NAMED_MAX} more</li>}
    </ul>
  );
}

function Places({ places }: { places: DrawnPlaces }) {
  const { groups, inWords, transfer, scaleMax } = places;
  const { corners, groupPx, rows } = layoutOf(places);
  const width = groups.length * (groupPx + GROUP_GAP_PX) - GROUP_GAP_PX;
  const height = TITLE_PX + rows * (places.heightPx + GAP_PX) + (transfer === null ? 0 : TITLE_PX);
  return (
    <svg
      className="lock-cores"
      viewBox={`-2 0 ${width + 4} ${height}`}
      style={
        scaleMax === undefined ? undefined : { maxWidth: `${(width + 4) * scaleMax}px`, maxHeight: 'none' }
      }
      role="img"
      aria-label={inWords}
    >
      {groups.map(({ title, places: inGroup }, group) => (
        <g key={title}>
          <text x={group * (groupPx + GROUP_GAP_PX)} y={TITLE_PX - 7} className="lock-socket">
            {title}
          </text>
          {inGroup.map((place) => (
            <Place
              key={place.number}
              place={place}
              corner={corners.get(place.number)!}
              width={places.widthPx}
              height={places.heightPx}
            />
          ))}
        </g>
      ))}
      {transfer !== null && (
        <Transfer
          from={corners.get(transfer.from)}
          to={corners.get(transfer.to)}
          size={places}
          words={transfer.words}
          width={width}
          bottom={height}
        />
      )}
    </svg>
  );
}

function Legend({ places }: { places: DrawnPlaces }) {
  return (
    <p className="legend lock-legend">
      {places.roles.map((role) => (
        <span key={role} className="legend-entry">
          <span className="swatch" style={{ background: `var(${roles[role].fill})` }} />
          {roles[role].title}
        </span>
      ))}
      {places.marks.map((mark) => (
        <span key={mark} className="legend-entry">
          <span className="swatch" data-mark={mark} />
          {marks[mark]}
        </span>
      ))}
    </p>
  );
}

interface Corner {
  x: number;
  y: number;
}

/** Groups are somewhat wider than high; a single group is much wider. */
function layoutOf({ groups, widthPx, heightPx, ...wanted }: DrawnPlaces) {
  const count = groups[0]?.places.length ?? 0;
  const columns = wanted.columns ?? Math.ceil(Math.sqrt(count * (groups.length === 1 ? 2.7 : 1.5)));
  const groupPx = columns * (widthPx + GAP_PX) - GAP_PX;
  const cornerOf = (group: number, i: number): Corner => ({
    x: group * (groupPx + GROUP_GAP_PX) + (i % columns) * (widthPx + GAP_PX),
    y: TITLE_PX + Math.floor(i / columns) * (heightPx + GAP_PX),
  });
  const corners = new Map(
    groups.flatMap(({ places }, group) => places.map(({ number }, i) => [number, cornerOf(group, i)])),
  );
  return { corners, groupPx, rows: Math.ceil(count / columns) };
}

interface PlaceProps {
  place: DrawnPlace;
  corner: Corner;
  width: number;
  height: number;
}

function Place({ place: { lines, role, mark, words }, corner: { x, y }, width, height }: PlaceProps) {
  const lineAt = (i: number) => y + height / 2 + 3.5 + (i - (lines.length - 1) / 2) * LINE_PX;
  return (
    <g className="lock-core" data-role={role ?? 'none'} data-mark={mark ?? 'none'}>
      <title>{words}</title>
      <rect
        x={x}
        y={y}
        width={width}
        height={height}
        rx={4}
        fill={`var(${role === null ? '--sunken' : roles[role].fill})`}
      />
      {lines.map((line, i) => (
        <text key={i} x={x + width / 2} y={lineAt(i)} textAnchor="middle">
          {line}
        </text>
      ))}
    </g>
  );
}

interface TransferProps {
  from: Corner | undefined;
  to: Corner | undefined;
  size: Pick<DrawnPlaces, 'widthPx' | 'heightPx'>;
  words: string;
  width: number;
  bottom: number;
}

/** Draws the way from place to place, with its cost. */
function Transfer({ from, to, size: { widthPx, heightPx }, words, width, bottom }: TransferProps) {
  if (from === undefined || to === undefined) return null;
  const [x1, y1] = [from.x + widthPx / 2, from.y + heightPx / 2];
  const [x2, y2] = [to.x + widthPx / 2, to.y + heightPx / 2];
  const bendY = Math.min(bottom, Math.max(y1, y2) + heightPx * 1.4);
  return (
    <g className="lock-transfer">
      <path d={`M${x1} ${y1}Q${(x1 + x2) / 2} ${bendY} ${x2} ${y2}`} />
      <circle cx={x2} cy={y2} r={4} />
      <text x={width / 2} y={bottom - 3} textAnchor="middle">
        {words}
      </text>
    </g>
  );
}
