import { useMemo, useState } from 'react';

import { flameTree } from '../../analysis/flame';
import { counted, formatDurationNs, formatShare, formatWhole } from '../../analysis/format';
import type { FlameStacks, ShownSite, ThreadStacks, TimeStacks } from '../../analysis/imports/shown-stacks';
import { Backtrace } from '../../widgets/backtrace';
import { FlameChoice, FlameGraph, type FlameUnit } from '../../widgets/flame-graph';
import { FoldedStacks } from '../../widgets/folded-stacks';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { Tabs } from '../../widgets/tabs';

/** Shows the stacks that the texts have: of threads, and of callers that waited for locks. */
export default function StacksPanels() {
  const { threads, times } = useExplorer((state) => state.waits.stacks);
  return (
    <>
      {threads !== null && <ThreadsPanel threads={threads} />}
      {times !== null && <TimesPanel times={times} />}
    </>
  );
}

function ThreadsPanel({ threads }: { threads: ThreadStacks }) {
  const [chosen, choose] = useState<'flame' | 'blocked'>('flame');
  const { unit, blocked, idle, running } = threads;
  return (
    <Panel
      title="Stacks"
      remark={`${formatWhole(blocked + idle + running)} ${unit}: ${formatWhole(blocked)} blocked, ${formatWhole(running)} running, ${formatWhole(idle)} idle`}
    >
      <Tabs
        label="Stacks"
        chosen={chosen}
        onChoose={choose}
        tabs={[
          { id: 'flame', title: 'Flame graph', content: <ThreadsFlame threads={threads} /> },
          { id: 'blocked', title: 'Blocked threads', content: <BlockedSites threads={threads} /> },
        ]}
      />
    </Panel>
  );
}

function ThreadsFlame({ threads: { unit, idle, flame } }: { threads: ThreadStacks }) {
  const [hasIdle, showIdle] = useState(false);
  const root = useMemo(
    () =>
      flameTree(
        hasIdle ? `all ${unit}` : `${unit} at work or blocked`,
        flame.stacks.filter(({ states }) => hasIdle || states.sleeping === undefined),
      ),
    [flame, unit, hasIdle],
  );
  const flameUnit = useMemo(
    (): FlameUnit => ({ inWords: (count) => amountOf(count, unit), whole: unit }),
    [unit],
  );
  return (
    <FlameGraph
      root={root}
      unit={flameUnit}
      isModeled={false}
      states={['running', 'waiting', 'sleeping']}
      choices={
        <FlameChoice
          type="checkbox"
          title={`idle ${unit} (${formatWhole(idle)})`}
          isChosen={hasIdle}
          onChange={showIdle}
        />
      }
      nothing={`All ${unit} are idle: they wait for work.`}
      note={`${cutInWords(flame, unit)}Idle ${unit} wait for work, and are sleeping here.`}
    />
  );
}

const cutInWords = ({ share }: FlameStacks, whole: string) =>
  share === 1 ? '' : `Only the largest stacks, with ${formatShare(share)} of all ${whole}. `;

/** Shows where threads are blocked, as the view of the same name does for a run. */
function BlockedSites({ threads: { unit, sites, moreSites } }: { threads: ThreadStacks }) {
  if (sites.length === 0) return <p className="muted">No thread is blocked.</p>;
  return (
    <>
      {sites.map((site, place) => (
        <details key={place} className="waits-site" open={place === 0}>
          <summary>
            <code>{nameOf(site)}</code>
            <span className="waits-site-share">
              {amountOf(site.count, unit)}, {formatShare(site.share)}
            </span>
          </summary>
          <Site site={site} unit={unit} />
        </details>
      ))}
      {moreSites > 0 && <p className="muted">{counted(moreSites, 'rarer place')} not shown</p>}
    </>
  );
}

const nameOf = ({ site, isStripped }: ShownSite) => (isStripped ? `inside ${site}` : site);

const blockedOn: Record<ShownSite['on'], string> = {
  latch: 'a latch',
  condition: 'a condition, such as a row lock or another thread',
  sleep: 'a sleep of the server',
};

function Site({ site, unit }: { site: ShownSite; unit: ThreadStacks['unit'] }) {
  const { on, count, entry, isStripped, stacks, moreStacks } = site;
  const [first] = stacks;
  return (
    <>
      <p>
        Blocked on {isStripped && on === 'condition' ? 'a latch or a condition' : blockedOn[on]}.
        {entry !== null && (
          <>
            {' '}
            In the catalogue as <code>{entry.name}</code>: {entry.guards}
          </>
        )}
      </p>
      {isStripped && (
        <p className="muted">
          The inner functions have no names. Debug symbols of the server would show where the {unit} wait.
        </p>
      )}
      <Backtrace title="Most frequent stack" frames={first!.frames}>
        <p>
          Found in {formatWhole(first!.count)} of {amountOf(count, unit)}.
        </p>
      </Backtrace>
      {stacks.length > 1 && (
        <section className="backtrace" aria-label="All stacks">
          <h3>{moreStacks === 0 ? 'All stacks' : 'Frequent stacks'}</h3>
          <FoldedStacks stacks={stacks} label={`Stacks at ${site.site}`} />
          {moreStacks > 0 && <p className="muted">{counted(moreStacks, 'rarer stack')} not shown</p>}
        </section>
      )}
    </>
  );
}

const amountOf = (count: number, unit: ThreadStacks['unit']) => counted(count, unit.slice(0, -1));

const timeUnit: FlameUnit = { inWords: formatDurationNs, whole: 'the time' };

type TimeKind = keyof TimeStacks;
const timeTitles: Record<TimeKind, string> = { wait: 'waiting', hold: 'holding' };

/** Draws callers by the time that they waited for locks or held them. */
function TimesPanel({ times }: { times: TimeStacks }) {
  const kinds = (['wait', 'hold'] as const).filter((kind) => times[kind].stacks.length > 0);
  const [wished, wish] = useState<TimeKind>('wait');
  const kind = kinds.includes(wished) ? wished : (kinds[0] ?? 'wait');
  const root = useMemo(() => flameTree(`time ${timeTitles[kind]}`, times[kind].stacks), [times, kind]);
  return (
    <Panel title="Callers" remark="by the time that they waited for locks or held them">
      <FlameGraph
        root={root}
        unit={timeUnit}
        isModeled={false}
        states={[kind === 'wait' ? 'waiting' : 'running']}
        choices={
          kinds.length > 1 && (
            <span role="radiogroup" aria-label="Time" className="row flame-group">
              {kinds.map((one) => (
                <FlameChoice
                  key={one}
                  type="radio"
                  name="waits-time"
                  title={timeTitles[one]}
                  isChosen={one === kind}
                  onChange={() => wish(one)}
                />
              ))}
            </span>
          )
        }
        nothing="The texts have callers, but no time."
        note={cutInWords(times[kind], 'the time')}
      />
    </Panel>
  );
}
