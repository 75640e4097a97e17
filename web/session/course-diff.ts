// Where two courses of the modelled server part, and what differs since: both are carried out again, each in an engine of its own.
import type { CourseDiff } from '../contract/going-back';
import type { RunSpec } from '../contract/run-spec';
import type { BesideEngine } from './beside-engine';

const nothing_noted = JSON.stringify({ after: 0, count: 0 });

/** `onPass`: how often both have been carried out so far, and once more now. */
export async function diffOfCourses(
  engines: readonly [BesideEngine, BesideEngine],
  specs: readonly [RunSpec, RunSpec],
  onPass: (pass: number) => void,
): Promise<CourseDiff> {
  let noted = nothing_noted;
  for (let pass = 1; ; pass += 1) {
    onPass(pass);
    const courses = await ofBoth((i) => engines[i].course(specs[i], noted));
    const judge = await engines[0].ready();
    const { next, event, noted_until, on_server } = await judge.parting(noted, courses);
    if (next.count > 0) {
      noted = JSON.stringify(next);
      continue;
    }
    const eventsAt = (numbers: readonly [number, number] | null) =>
      ofBoth(async (i) => (numbers === null ? 'null' : (await engines[i].ready()).notedEvent(numbers[i])));
    const events = await eventsAt(event === 0 ? null : [event, event]);
    const of_server = await eventsAt(on_server);
    const figures = courses.map((course) => (JSON.parse(course) as { figures: unknown }).figures);
    const pair =
      `{"event":${event},"noted_until":${noted_until},"events":[${events.join(',')}],` +
      `"on_server":[${of_server.join(',')}],"figures":${JSON.stringify(figures)}}`;
    return judge.courseDiff(
      `{"a":${JSON.stringify(specs[0])},"b":${JSON.stringify(specs[1])},"pairs":[${pair}]}`,
    );
  }
}

const ofBoth = <Value>(of: (i: 0 | 1) => Promise<Value>): Promise<[Value, Value]> =>
  Promise.all([of(0), of(1)]);
