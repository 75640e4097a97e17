import { formatDuration_ns } from '../../analysis/format';
import {
  latchEventInWords,
  lockPicture,
  type CoreRole,
  type CoreSeen,
  type LineTransfer,
  type LockPicture,
  type ServerShape,
} from '../../analysis/lock-picture';
import type { LatchMoment } from '../../analysis/latch-moment';
import { all_followed } from '../../analysis/latch-steps';
import { ownerColor } from '../../charts/owner-colors';
import type { LatchEvent } from '../../contract/latch-event';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { followCommandId, followed_titles, type LocksState } from './locks-state';
import { exactTime } from './moment-words';
import type { MomentReader } from './moment-reader';
import { useMomentOf, useReader } from './use-reader';
import './locks.css';

const CORE_PX = 22;
const GAP_PX = 4;
const SOCKET_GAP_PX = 18;
const TITLE_PX = 18;
const NAMED_MAX = 12;

const roles: Record<CoreRole, string> = {
  holds: 'holds the latch',
  asks: 'asks for the line',
  spins: 'spins',
};

const role_colors: Record<CoreRole, string> = {
  holds: '--state-running',
  asks: '--state-stalled',
  spins: '--state-spinning',
};

/** What the chosen latch looks like at the moment that is looked at: one event's picture, nothing in motion. */
export function LockPicturePanel({ server }: { server: ServerShape }) {
  const reader = useReader();
  useMomentOf(reader);
  const { chosen, moment } = reader;
  const is_file = useExplorer(({ opened }) => opened !== null);
  if (chosen === null || moment === null)
    return (
      <Panel title="The latch, event by event">
        <p className="muted">
          {is_file
            ? 'A result file holds no events of a latch.'
            : 'No latch has cost enough yet to be watched.'}
        </p>
      </Panel>
    );
  const latch_class = chosen.events.find(({ access }) => access !== null)?.access?.latch_class ?? -1;
  const picture = lockPicture(moment, latch_class, server);
  return (
    <Panel
      title="The latch, event by event"
      remark={`${reader.look === null ? 'now, ' : ''}${exactTime(moment.at_ns)}`}
      className="lock-picture-panel"
    >
      <Steps />
      <LockPictureView name={reader.latchName(chosen)} moment={moment} picture={picture} reader={reader} />
    </Panel>
  );
}

/** From one event to the next. */
function Steps() {
  const { is_playing, followed } = useExplorer((state: LocksState) => state.locks);
  return (
    <div className="lock-steps">
      <span className="steps" role="group" aria-label="Events of the latch">
        <CommandButton command="locks.step_back" className="button-small">
          ◀ Event
        </CommandButton>
        <CommandButton command="locks.step_forward" className="button-small">
          Event ▶
        </CommandButton>
        <CommandButton
          command="locks.play"
          className="button-small"
          pressed={is_playing}
          title="One event after the other, slowly"
        >
          {is_playing ? 'Stop' : 'Play slowly'}
        </CommandButton>
      </span>
      <span className="steps" role="group" aria-label="A step goes along">
        <span aria-hidden="true">Along</span>
        {all_followed.map((one) => (
          <CommandButton
            key={one}
            command={followCommandId(one)}
            className="button-small"
            pressed={one === followed}
          >
            {followed_titles[one]}
          </CommandButton>
        ))}
      </span>
    </div>
  );
}

interface LockPictureViewProps {
  name: string;
  moment: LatchMoment;
  picture: LockPicture;
  reader: Pick<MomentReader, 'nameOf'>;
}

export function LockPictureView({ name, moment, picture, reader }: LockPictureViewProps) {
  const threadName = (slot: number) => reader.nameOf(slot);
  return (
    <div className="lock-picture">
      <div className="lock-owner">
        <strong>{name}</strong>
        {moment.holders.length === 0 ? (
          whileFree(picture, threadName)
        ) : (
          <>
            {' '}
            is held by{' '}
            <Chips
              label="Has it"
              threads={moment.holders.map(({ slot, mode, since_ns }) => ({
                slot,
                text: `${mode === null ? '' : `${mode} `}${formatDuration_ns(moment.at_ns - since_ns)}`,
              }))}
              threadName={threadName}
            />
          </>
        )}
        {picture.next !== null && (
          <span className="lock-next">
            Next: {threadName(picture.next.slot)}
            {picture.next.in_ns > 0 && `, in ${formatDuration_ns(picture.next.in_ns)}`}
          </span>
        )}
      </div>
      <LastEvent moment={moment} threadName={threadName} />
      <Cores picture={picture} threadName={threadName} />
      <CoreLegend />
      <p className="lock-line">
        The latch’s cache line: {picture.line}
        {picture.transfer !== null && `; it goes ${transferInWords(picture.transfer)}`}.
      </p>
      <table className="lock-words">
        <caption>Words on that line</caption>
        <tbody>
          {picture.words.map(({ name: word, hex, meaning }) => (
            <tr key={word}>
              <th scope="row">{word}</th>
              <td className="mono">{hex ?? '–'}</td>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Queue
        title="Ask for the line, in this order"
        threads={picture.asking.map(({ slot, in_ns }) => ({ slot, text: formatDuration_ns(in_ns) }))}
        threadName={threadName}
      />
      <Queue title="Spin" threads={picture.spinning} threadName={threadName} />
      <Queue title="Sleep" threads={picture.sleeping} threadName={threadName} />
    </div>
  );
}

interface LastEventProps {
  moment: LatchMoment;
  threadName: (slot: number) => string;
}

/** A latch's word is changed a little before its thread goes on, and a little after. */
function whileFree({ is_word_free, next }: LockPicture, threadName: (slot: number) => string): string {
  if (is_word_free) return ' is free';
  return next?.in_ns === 0
    ? `: ${threadName(next.slot)} is taking it`
    : ': nobody has it, and its word has not changed yet';
}

function LastEvent({ moment, threadName }: LastEventProps) {
  // Of a run that is not held there would be too much to say.
  const is_held = useExplorer((state: LocksState) => state.locks.holds_moment);
  const inWords = (event: LatchEvent) => latchEventInWords(event, threadName(event.slot));
  return (
    <dl className="lock-events">
      <dt>Event</dt>
      <dd>
        <span className="lock-event" role={is_held ? 'status' : undefined}>
          {moment.last === null ? 'None is known before.' : inWords(moment.last)}
        </span>
      </dd>
      <dt>Next event</dt>
      <dd>
        {moment.next === null
          ? 'None is known yet.'
          : `${laterBy(moment.next.at_ns - moment.at_ns)}: ${inWords(moment.next)}`}
      </dd>
    </dl>
  );
}

const laterBy = (ns: number) => (ns === 0 ? 'at the same moment' : `${formatDuration_ns(ns)} later`);

interface NamedThread {
  slot: number;
  text?: string;
}

interface QueueProps {
  title: string;
  threads: readonly NamedThread[];
  threadName: (slot: number) => string;
}

function Queue({ title, threads, threadName }: QueueProps) {
  return (
    <div className="lock-queue">
      <h3>
        {title} <span className="muted">{threads.length === 0 ? 'nobody' : threads.length}</span>
      </h3>
      {threads.length > 0 && <Chips label={title} threads={threads} threadName={threadName} />}
    </div>
  );
}

/** A name and a colour each; of many the first, and how many there are. */
function Chips({ label, threads, threadName }: Omit<QueueProps, 'title'> & { label: string }) {
  return (
    <ul className="lock-chips" aria-label={label}>
      {threads.slice(0, NAMED_MAX).map(({ slot, text }, i) => (
        <li key={`${i}-${slot}`} style={{ borderColor: `var(${ownerColor(slot)})` }}>
          {threadName(slot)}
          {text !== undefined && <span className="muted"> {text}</span>}
        </li>
      ))}
      {threads.length > NAMED_MAX && <li className="muted">and {threads.length - NAMED_MAX} more</li>}
    </ul>
  );
}

const transferInWords = ({ from, to, took_ns }: LineTransfer) =>
  `from core ${from} to core ${to}, which takes ${formatDuration_ns(took_ns)}`;

function Cores({
  picture: { sockets, transfer },
  threadName,
}: {
  picture: LockPicture;
  threadName: (slot: number) => string;
}) {
  const { places, socket_px, rows } = layoutOf(sockets);
  const width = sockets.length * (socket_px + SOCKET_GAP_PX) - SOCKET_GAP_PX;
  const height = TITLE_PX + rows * (CORE_PX + GAP_PX) + (transfer === null ? 0 : TITLE_PX);
  return (
    <svg
      className="lock-cores"
      viewBox={`-2 0 ${width + 4} ${height}`}
      role="img"
      aria-label={coresInWords(sockets, threadName)}
    >
      {sockets.map((cores, socket) => (
        <g key={socket}>
          <text x={socket * (socket_px + SOCKET_GAP_PX)} y={TITLE_PX - 7} className="lock-socket">
            Socket {socket}
          </text>
          {cores.map((seen) => (
            <Core key={seen.core} seen={seen} {...places.get(seen.core)!} threadName={threadName} />
          ))}
        </g>
      ))}
      {transfer !== null && (
        <Transfer
          from={places.get(transfer.from)}
          to={places.get(transfer.to)}
          cost={formatDuration_ns(transfer.took_ns)}
          width={width}
          bottom={height}
        />
      )}
    </svg>
  );
}

function CoreLegend() {
  return (
    <p className="legend lock-legend">
      {(Object.keys(roles) as CoreRole[]).map((role) => (
        <span key={role} className="legend-entry">
          <span className="swatch" style={{ background: `var(${role_colors[role]})` }} />
          {roles[role]}
        </span>
      ))}
      <span className="legend-entry">
        <span className="swatch has-line" />
        has the only copy
      </span>
      <span className="legend-entry">
        <span className="swatch has-copy" />
        has a copy
      </span>
    </p>
  );
}

interface Place {
  x: number;
  y: number;
}

/** A socket is somewhat wider than high, one alone much. */
function layoutOf(sockets: readonly CoreSeen[][]) {
  const cores = sockets[0]?.length ?? 0;
  const columns = Math.ceil(Math.sqrt(cores * (sockets.length === 1 ? 2.7 : 1.5)));
  const socket_px = columns * (CORE_PX + GAP_PX) - GAP_PX;
  const placeOf = (socket: number, i: number): Place => ({
    x: socket * (socket_px + SOCKET_GAP_PX) + (i % columns) * (CORE_PX + GAP_PX),
    y: TITLE_PX + Math.floor(i / columns) * (CORE_PX + GAP_PX),
  });
  const places = new Map(
    sockets.flatMap((seen, socket) => seen.map(({ core }, i) => [core, placeOf(socket, i)])),
  );
  return { places, socket_px, rows: Math.ceil(cores / columns) };
}

interface CoreProps extends Place {
  seen: CoreSeen;
  threadName: (slot: number) => string;
}

function Core({ seen: { core, threads, line }, x, y, threadName }: CoreProps) {
  const who =
    threads.length === 0
      ? 'no thread here uses the latch'
      : threads.map(({ slot, role }) => `${threadName(slot)} ${roles[role]}`).join(', ');
  return (
    <g className="lock-core" data-role={threads[0]?.role ?? 'none'} data-line={line ?? 'none'}>
      <title>{`Core ${core}: ${who}`}</title>
      <rect x={x} y={y} width={CORE_PX} height={CORE_PX} rx={4} />
      <text x={x + CORE_PX / 2} y={y + CORE_PX / 2 + 3.5} textAnchor="middle">
        {core}
      </text>
    </g>
  );
}

/** From core to core, with what the way costs. */
function Transfer({
  from,
  to,
  cost,
  width,
  bottom,
}: {
  from: Place | undefined;
  to: Place | undefined;
  cost: string;
  width: number;
  bottom: number;
}) {
  if (from === undefined || to === undefined) return null;
  const middle = CORE_PX / 2;
  const [x1, y1, x2, y2] = [from.x + middle, from.y + middle, to.x + middle, to.y + middle];
  const bend_y = Math.min(bottom, Math.max(y1, y2) + CORE_PX * 1.4);
  return (
    <g className="lock-transfer">
      <path d={`M${x1} ${y1}Q${(x1 + x2) / 2} ${bend_y} ${x2} ${y2}`} />
      <circle cx={x2} cy={y2} r={4} />
      <text x={width / 2} y={bottom - 3} textAnchor="middle">
        the line moves: {cost}
      </text>
    </g>
  );
}

function coresInWords(sockets: readonly CoreSeen[][], threadName: (slot: number) => string): string {
  const seen = sockets.flat().filter(({ threads }) => threads.length > 0);
  if (seen.length === 0) return 'No core runs a thread that uses it.';
  return seen
    .map(({ core, threads }) => {
      const who = threads.map(({ slot, role }) => `${threadName(slot)} ${roles[role]}`);
      return `Core ${core}: ${who.join(', ')}.`;
    })
    .join(' ');
}
