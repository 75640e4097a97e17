import { formatShare, formatWhole } from '../../analysis/format';
import type { Activity, StoodBehind, WalkPart } from '../../analysis/chain-walk';
import { CodeName } from '../../widgets/code-name';
import { CommandButton } from '../../widgets/command-button';
import { useExplorer } from '../../widgets/session-context';
import { formatExact } from './exact-time';
import type { ExplainState, Walk } from './explain-state';
import { behindInWords, activityInWords, durationOf, timesInWords } from './walk-words';
import './walk.css';

/** Entries shorter than this share of the part are folded. */
const FOLDED_SHARE = 0.02;

/**
 * Shows the explained transaction part by part, from its end back to its begin, with the causes of
 * each wait.
 */
export default function WalkView() {
  const explaining = useExplorer((state: ExplainState) => state.explaining);
  if (explaining.stage !== 'done' || explaining.walk.length === 0)
    return <p className="muted">{why_none[explaining.stage]}</p>;
  return <WalkOf walk={explaining.walk} part={explaining.part} />;
}

const why_none = {
  none: 'Explain a transaction first.',
  under_way: 'The explanation is running.',
  refused: 'No explanation.',
  done: 'The chain has too many parts to walk.',
};

function WalkOf({ walk, part }: Walk) {
  const shown = part === null ? undefined : walk[part];
  return (
    <div className="walk">
      <p className="walk-steps">
        <CommandButton command="explain.earlier_part" className="button-small">
          {part === null ? 'Start at end' : '← Earlier part'}
        </CommandButton>
        {part !== null && (
          <>
            <CommandButton command="explain.later_part" className="button-small">
              Later part →
            </CommandButton>
            <CommandButton command="explain.all_parts" className="button-small">
              All parts
            </CommandButton>
          </>
        )}
      </p>
      {shown === undefined ? (
        <p className="muted">{formatWhole(walk.length)} parts from start to end of the transaction.</p>
      ) : (
        <WalkedPart walk={walk} part={part!} shown={shown} />
      )}
    </div>
  );
}

function WalkedPart({ walk, part, shown }: { walk: readonly WalkPart[]; part: number; shown: WalkPart }) {
  const last = walk.at(-1)!;
  const before_end = { ps: last.fromPs + last.ps - shown.fromPs - shown.ps };
  return (
    <>
      <p className="walk-place">
        Part {formatWhole(part + 1)} of {formatWhole(walk.length)} ·{' '}
        {before_end.ps === 0 ? 'ends with the transaction' : `ends ${durationOf(before_end)} before its end`}
      </p>
      <ul className="walk-chain">
        <ActivityRow activity={shown} of_ps={shown.ps} />
      </ul>
    </>
  );
}

interface OfPart {
  /** Duration of the whole part, in picoseconds. */
  of_ps: number;
}

function ActivityRow({ activity, of_ps }: { activity: Activity } & OfPart) {
  const times = timesInWords(activity);
  return (
    <li>
      <Row words={activityInWords(activity)} remark={times} time={activity} of_ps={of_ps} />
      {activity.behind.length > 0 && isLong(activity, of_ps) && (
        <BehindRows behind={activity.behind} of_ps={of_ps} />
      )}
    </li>
  );
}

function BehindRows({ behind, of_ps }: { behind: readonly StoodBehind[] } & OfPart) {
  const { long, short } = folded(behind, of_ps);
  return (
    <ul>
      {long.map((one) => (
        <li key={one.by}>
          <Row
            words={behindInWords(one)}
            remark={tellsActivities(one, of_ps) ? 'which did:' : ''}
            time={one}
            of_ps={of_ps}
          />
          {tellsActivities(one, of_ps) && <ActivityRows activities={one.did} of_ps={of_ps} />}
        </li>
      ))}
      <Folded short={short} of_ps={of_ps} />
    </ul>
  );
}

function ActivityRows({ activities, of_ps }: { activities: readonly Activity[] } & OfPart) {
  const { long, short } = folded(activities, of_ps);
  return (
    <ul>
      {long.map((activity) => (
        <ActivityRow key={`${activityInWords(activity)} ${activity.ps}`} activity={activity} of_ps={of_ps} />
      ))}
      <Folded short={short} of_ps={of_ps} />
    </ul>
  );
}

interface RowProps extends OfPart {
  words: string;
  remark: string;
  time: { ps: number };
}

function Row({ words, remark, time, of_ps }: RowProps) {
  return (
    <span className="walk-row">
      <span>
        <CodeName name={words} />
        {remark !== '' && <span className="muted">, {remark}</span>}
      </span>
      <span className="walk-time" title={formatExact(time.ps)}>
        {durationOf(time)}
        {time.ps < of_ps && <span className="muted"> {formatShare(time.ps / of_ps)}</span>}
      </span>
    </span>
  );
}

function Folded({ short, of_ps }: { short: readonly { ps: number }[] } & OfPart) {
  if (short.length === 0) return null;
  const ps = short.reduce((sum, one) => sum + one.ps, 0);
  return (
    <li className="muted">
      <Row words={`${formatWhole(short.length)} shorter`} remark="" time={{ ps }} of_ps={of_ps} />
    </li>
  );
}

const isLong = ({ ps }: { ps: number }, of_ps: number) => ps >= FOLDED_SHARE * of_ps;

const tellsActivities = (one: StoodBehind, of_ps: number) => one.did.length > 0 && isLong(one, of_ps);

/** Shows a single short entry, because folding it would save no space. */
function folded<Timed extends { ps: number }>(all: readonly Timed[], of_ps: number) {
  const long = all.filter((one) => isLong(one, of_ps));
  const short = all.filter((one) => !isLong(one, of_ps));
  return short.length === 1 ? { long: all, short: [] } : { long, short };
}
