import { formatShare, formatWhole } from '../../analysis/format';
import type { Activity, StoodBehind, WalkPart } from '../../analysis/chain-walk';
import { CodeName } from '../../widgets/code-name';
import { CommandRow } from '../../widgets/command-button';
import { useExplorer } from '../../widgets/session-context';
import type { Walk } from './explain-state';
import { behindInWords, activityInWords, durationOf, formatExact, timesInWords } from './walk-words';
import './explain.css';

/** Entries shorter than this share of the part are folded. */
const FOLDED_SHARE = 0.02;

/**
 * Shows the explained transaction part by part, from its end back to its beginning, with the causes of
 * each wait.
 */
export default function WalkView() {
  const explaining = useExplorer((state) => state.explaining);
  if (explaining.stage !== 'done' || explaining.walk.length === 0)
    return <p className="muted">{whyNone[explaining.stage]}</p>;
  return <WalkOf walk={explaining.walk} part={explaining.part} />;
}

const whyNone = {
  none: 'Explain a transaction first.',
  under_way: 'The explanation is running.',
  refused: 'No explanation.',
  done: 'The chain has too many parts to walk.',
};

const atAllParts = { 'explain.earlier_part': 'Start at end' };
const atOnePart = {
  'explain.earlier_part': '← Earlier part',
  'explain.later_part': 'Later part →',
  'explain.all_parts': 'All parts',
};

function WalkOf({ walk, part }: Walk) {
  const shown = part === null ? undefined : walk[part];
  return (
    <div className="walk">
      <CommandRow of={part === null ? atAllParts : atOnePart} />
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
  const beforeEnd = { ps: last.fromPs + last.ps - shown.fromPs - shown.ps };
  return (
    <>
      <p className="walk-place">
        Part {formatWhole(part + 1)} of {formatWhole(walk.length)} ·{' '}
        {beforeEnd.ps === 0 ? 'ends with the transaction' : `ends ${durationOf(beforeEnd)} before its end`}
      </p>
      <ul className="walk-chain">
        <ActivityRow activity={shown} ofPs={shown.ps} />
      </ul>
    </>
  );
}

interface OfPart {
  /** Duration of the whole part, in picoseconds. */
  ofPs: number;
}

function ActivityRow({ activity, ofPs }: { activity: Activity } & OfPart) {
  const times = timesInWords(activity);
  return (
    <li>
      <Row words={activityInWords(activity)} remark={times} time={activity} ofPs={ofPs} />
      {activity.behind.length > 0 && isLong(activity, ofPs) && (
        <BehindRows behind={activity.behind} ofPs={ofPs} />
      )}
    </li>
  );
}

function BehindRows({ behind, ofPs }: { behind: readonly StoodBehind[] } & OfPart) {
  const { long, short } = folded(behind, ofPs);
  return (
    <ul>
      {long.map((one) => (
        <li key={one.by}>
          <Row
            words={behindInWords(one)}
            remark={tellsActivities(one, ofPs) ? 'which did:' : ''}
            time={one}
            ofPs={ofPs}
          />
          {tellsActivities(one, ofPs) && <ActivityRows activities={one.did} ofPs={ofPs} />}
        </li>
      ))}
      <Folded short={short} ofPs={ofPs} />
    </ul>
  );
}

function ActivityRows({ activities, ofPs }: { activities: readonly Activity[] } & OfPart) {
  const { long, short } = folded(activities, ofPs);
  return (
    <ul>
      {long.map((activity) => (
        <ActivityRow key={`${activityInWords(activity)} ${activity.ps}`} activity={activity} ofPs={ofPs} />
      ))}
      <Folded short={short} ofPs={ofPs} />
    </ul>
  );
}

interface RowProps extends OfPart {
  words: string;
  remark: string;
  time: { ps: number };
}

function Row({ words, remark, time, ofPs }: RowProps) {
  return (
    <span className="walk-row">
      <span>
        <CodeName name={words} />
        {remark !== '' && <span className="muted">, {remark}</span>}
      </span>
      <span className="walk-time" title={formatExact(time.ps)}>
        {durationOf(time)}
        {time.ps < ofPs && <span className="muted"> {formatShare(time.ps / ofPs)}</span>}
      </span>
    </span>
  );
}

function Folded({ short, ofPs }: { short: readonly { ps: number }[] } & OfPart) {
  if (short.length === 0) return null;
  const ps = short.reduce((sum, one) => sum + one.ps, 0);
  return (
    <li className="muted">
      <Row words={`${formatWhole(short.length)} shorter`} remark="" time={{ ps }} ofPs={ofPs} />
    </li>
  );
}

const isLong = ({ ps }: { ps: number }, ofPs: number) => ps >= FOLDED_SHARE * ofPs;

const tellsActivities = (one: StoodBehind, ofPs: number) => one.did.length > 0 && isLong(one, ofPs);

/** Shows a single short entry, because folding it would save no space. */
function folded<Timed extends { ps: number }>(all: readonly Timed[], ofPs: number) {
  const long = all.filter((one) => isLong(one, ofPs));
  const short = all.filter((one) => !isLong(one, ofPs));
  return short.length === 1 ? { long: all, short: [] } : { long, short };
}
