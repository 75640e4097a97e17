import { DASH, formatFigure, formatRatio, formatVirtualTime, formatWhole } from '../../analysis/format';
import type { CourseDiff, NotedEvent } from '../../contract/going-back';
import { eventInWords } from './event-words';

const LATCHES_MAX = 8;

type Compared = CourseDiff['since']['tps'];

/** At which event two courses part, what each has there, and what was counted since. */
export function CourseDiffView({ diff }: { diff: CourseDiff }) {
  const [parts] = diff.parts;
  if (parts === undefined || parts === null) return <p>A and B are the same to the last event.</p>;
  const { event, a, b, on_server, noted_until, from_s } = parts;
  return (
    <div className="course-diff">
      <p>
        They part at event <strong>{formatWhole(event)}</strong>; the {formatWhole(event - 1)} before it are
        the same.
      </p>
      <Events a={a} b={b} />
      {on_server === null ? (
        <p>
          No thread of the server does anything else in the {formatWhole(noted_until - event)} events from
          there on.
        </p>
      ) : (
        <>
          <p>The first of the server’s threads to do something else:</p>
          <Events {...on_server} />
        </>
      )}
      <Since diff={diff} from_s={from_s} />
    </div>
  );
}

function Events({ a, b }: { a: NotedEvent | null; b: NotedEvent | null }) {
  return (
    <dl className="course-events">
      {Object.entries({ A: a, B: b }).map(([name, event]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {event === null
              ? 'has no such event: the run is over'
              : `at ${formatVirtualTime(event.run_ns / 1e9)}: ${eventInWords(event)}`}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Since({ diff: { since }, from_s }: { diff: CourseDiff; from_s: number }) {
  const latches = Object.entries(since.latches).slice(0, LATCHES_MAX);
  return (
    <table className="figures course-since">
      <caption>Since {formatVirtualTime(from_s)}, the last moment at which both were compared</caption>
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <th scope="col">A</th>
          <th scope="col">B</th>
          <th scope="col">B / A</th>
        </tr>
      </thead>
      <tbody>
        <Figure title="Transactions per second" of={since.tps} />
        <Figure title="Mean latency, ms" of={since.mean_ms} />
        <Figure title="p99 latency, ms" of={since.p99_ms} />
        {latches.flatMap(([latch, { acquisitions, waits, wait_ns }]) => [
          <Figure key={`${latch} a`} title={`${latch}: acquisitions`} of={acquisitions} />,
          <Figure key={`${latch} w`} title={`${latch}: waits`} of={waits} />,
          <Figure key={`${latch} t`} title={`${latch}: time waited, ns`} of={wait_ns} />,
        ])}
      </tbody>
    </table>
  );
}

function Figure({ title, of: { a, b, ratio } }: { title: string; of: Compared }) {
  return (
    <tr>
      <th scope="row">{title}</th>
      <td>{formatFigure(a.mean)}</td>
      <td>{formatFigure(b.mean)}</td>
      <td>{ratio === undefined ? DASH : formatRatio(ratio.mean)}</td>
    </tr>
  );
}
