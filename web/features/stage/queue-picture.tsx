import type { QueuePicture } from '../../analysis/client-queue';
import { counted } from '../../analysis/format';
import type { LatchQueue, QueueCause } from '../../contract/client-queue';
import type { StateCounts } from '../../contract/live-view';
import { busy_states, type BusyState } from '../../contract/time-shares';
import './stage.css';

/** What a client in each state does: for one client, and for several. */
const doing: Record<BusyState, readonly [one: string, several: string]> = {
  running: ['runs', 'run'],
  stalled: ['waits for a cache line', 'wait for a cache line'],
  spinning: ['spins', 'spin'],
  waiting: ['sleeps at a latch', 'sleep at a latch'],
  following: ['sleeps in a commit group', 'sleep in a commit group'],
  ready: ['waits for a core', 'wait for a core'],
  sleeping: ['sleeps on a timer', 'sleep on a timer'],
  io: ['waits for the disk', 'wait for the disk'],
};

/** With fewer blocked clients, there is no queue worth a name. */
const QUIET_PART = 0.1;

/** Draws what each client does: a dot for each, and the states in words. */
export function ClientDots({ states, clients }: { states: StateCounts; clients: number }) {
  return (
    <div className="stage-clients">
      <Dots states={states} />
      <p>{statesInWords(states, clients)}</p>
    </div>
  );
}

/** Draws the queue at the hottest latch: who holds it, and what each client does. */
export function QueuePictureView({ picture, clients }: { picture: QueuePicture | null; clients: number }) {
  const states = picture?.states ?? {};
  const cause = causeNow(picture);
  const isQuiet = cause === null || cause.clients < clients * QUIET_PART;
  const queue = isQuiet ? null : (picture?.queue ?? null);
  return (
    <section className="stage-queue" aria-label="Queue at the hottest latch">
      <h2>{queue === null ? 'No queue' : <code>{queue.latch}</code>}</h2>
      <p className="stage-queue-words">{statesInWords(states, clients)}</p>
      <Holder queue={queue} />
      <Dots states={states} />
      <ul className="stage-legend">
        {statesIn(states).map((state) => (
          <li key={state}>
            <span className="stage-key" style={{ background: `var(--state-${state})` }} aria-hidden="true" />
            {states[state]} {doing[state][states[state] === 1 ? 0 : 1]}
          </li>
        ))}
      </ul>
      {!isQuiet && (
        <p className="stage-cause">
          <strong>Why:</strong> {causeInWords(cause, queue)}
        </p>
      )}
    </section>
  );
}

/**
 * Returns the cause with the clients that are blocked in the newest sample. It is the most frequent
 * cause of the last samples, which may have had more of them. Members of a commit group do not queue
 * at a latch whose holders run.
 */
function causeNow(picture: QueuePicture | null): QueueCause | null {
  const cause = picture?.cause ?? null;
  if (picture === null || cause === null) return null;
  const { spinning = 0, waiting = 0, following = 0 } = picture.states;
  const blocked = spinning + waiting + (cause.thread === null ? 0 : following);
  return { ...cause, clients: Math.min(cause.clients, blocked) };
}

/** Without a queue, its place is kept, so that the dots stay where they are. */
function Holder({ queue }: { queue: LatchQueue | null }) {
  if (queue === null) return <p className="stage-holder stage-holder-none">No latch has a long queue</p>;
  const holder = queue.holders[0];
  if (holder === undefined)
    return <p className="stage-holder stage-holder-none">No thread holds it at this moment</p>;
  const others = queue.holders.length - 1;
  const who = `${holder.is_client ? 'client' : 'server thread'} ${holder.ordinal + 1}`;
  return (
    <p className="stage-holder">
      <strong>{who}</strong> holds it
      {others > 0 && `, with ${counted(others, 'other')}`}
      <code>{holder.executes}</code>
    </p>
  );
}

const statesIn = (states: StateCounts) => busy_states.filter((state) => (states[state] ?? 0) > 0);

function statesInWords(states: StateCounts, clients: number): string {
  const running = states.running ?? 0;
  const first = `${running} of ${clients} clients ${doing.running[running === 1 ? 0 : 1]}.`;
  const others = statesIn(states)
    .filter((state) => state !== 'running')
    .sort((a, b) => states[b]! - states[a]!)
    .slice(0, 2)
    .map((state) => `${states[state]} ${doing[state][states[state] === 1 ? 0 : 1]}`);
  return others.length === 0 ? first : `${first} ${others.join(', ')}.`;
}

const WIDTH = 372;
const HEIGHT = 190;

/** One dot per client, in the order of the states. */
function Dots({ states }: { states: StateCounts }) {
  const total = statesIn(states).reduce((sum, state) => sum + states[state]!, 0);
  const pitch = Math.min(36, Math.sqrt((WIDTH * HEIGHT) / Math.max(1, total * 1.15)));
  const columns = Math.max(1, Math.floor(WIDTH / pitch));
  const order = statesIn(states);
  const clientsBefore = (place: number) =>
    order.slice(0, place).reduce((sum, state) => sum + states[state]!, 0);
  return (
    <svg className="stage-dots" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {order.map((state, place) => (
        <path
          key={state}
          fill={`var(--state-${state})`}
          d={Array.from({ length: states[state]! }, (_, i) =>
            dot(clientsBefore(place) + i, columns, pitch),
          ).join('')}
        />
      ))}
    </svg>
  );
}

function dot(number: number, columns: number, pitch: number): string {
  const r = pitch * 0.36;
  const x = ((number % columns) + 0.5) * pitch;
  const y = (Math.floor(number / columns) + 0.5) * pitch;
  const d = (2 * r).toFixed(1);
  return `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r.toFixed(1)} ${r.toFixed(1)} 0 1 0 ${d} 0a${r.toFixed(1)} ${r.toFixed(1)} 0 1 0 -${d} 0`;
}

const away: Partial<Record<string, string>> = {
  sleeping: 'asleep',
  io: 'waiting for the disk',
  running: 'running',
  ready: 'waiting for a core',
  stalled: 'waiting for a cache line',
};

function causeInWords({ latch, thread, clients }: QueueCause, queue: LatchQueue | null) {
  const held = counted(clients, 'client');
  if (thread === null) {
    // An event has no holder, and a latch has none while it changes hands.
    const hasRunningHolder = queue?.latch === latch && queue.holders.some(({ state }) => state === 'running');
    return (
      <>
        {held} queue at <code>{latch}</code>
        {hasRunningHolder && ', whose holders run'}.
      </>
    );
  }
  const who = thread.is_client ? 'a client' : 'a server thread';
  return (
    <>
      {held} {clients === 1 ? 'waits' : 'wait'} for {who} that is {away[thread.state] ?? thread.state} in{' '}
      <code>{thread.frames[0]}</code>
      {thread.holds.length > 0 && (
        <>
          {' '}
          and holds <code>{thread.holds.join(', ')}</code>
        </>
      )}
      .
    </>
  );
}
