// Shows what the catalogue knows of a latch: what it guards, its names by version, and its bugs.
import type { ReactNode } from 'react';

import {
  rangeInWords,
  serverTitles,
  versionsInWords,
  versionVerdict,
} from '../../analysis/imports/bug-versions';
import type { MatchedLatch, ModeledIn, NamedServer } from '../../contract/import-report';
import type { CatalogueName } from '../../contract/scenario-files/latch-catalogue';
import type { Scenario } from '../../contract/manifest';
import { scenarioInWords } from '../../contract/scenario-names';
import { stageLink } from '../../session/link';
import { CodeName } from '../../widgets/code-name';
import './latch-facts.css';

interface FactsProps {
  matched: MatchedLatch;
  /** The reader's server; null: unknown. */
  server: NamedServer | null;
  scenarios: readonly Scenario[];
}

interface MainBugProps extends Omit<FactsProps, 'matched'> {
  /** null: the catalogue does not have the latch. */
  matched: MatchedLatch | null;
}

const NOT_MODELED = 'not modeled';

/** Names the main bug of a latch in a few words. */
export function MainBug({ matched, server, scenarios }: MainBugProps) {
  if (matched === null) return <span className="latch-unknown">not in the catalogue</span>;
  const [bug] = matched.bugs;
  if (bug === undefined) return <span className="latch-unknown">{NOT_MODELED}</span>;
  return (
    <>
      <BugLink bug={bug} scenarios={scenarios} />
      <span className="latch-versions">{versionVerdict(bug, server) ?? versionsInWords(bug)}</span>
    </>
  );
}

const roles = { cause: 'See', part: 'On the path of' } as const;

function BugLink({ bug, scenarios }: { bug: ModeledIn; scenarios: readonly Scenario[] }): ReactNode {
  const scenario = scenarios.find(({ manifest }) => manifest.id === bug.scenario);
  if (scenario === undefined) return <span className="latch-unknown">{NOT_MODELED}</span>;
  return (
    <a href={stageLink(bug.scenario)}>
      {roles[bug.role]} {scenarioInWords(scenario.manifest)} at work ▸
    </a>
  );
}

export function LatchFacts({ matched, server, scenarios }: FactsProps) {
  const { guards, bugs, names, name_in_version: yours } = matched;
  return (
    <div className="latch-facts">
      <p className="latch-guards">{guards}</p>
      <div>
        <h2>Names</h2>
        {server?.version != null && yours === null && (
          <p className="latch-unknown">
            No name of it is known in {serverTitles[server.server]} {server.version}.
          </p>
        )}
        <dl className="latch-names">
          {groupsOf(names).map((group) => (
            <div key={group.ranges} className={group.names.includes(yours!) ? 'latch-yours' : undefined}>
              <dt>
                {group.ranges}
                {group.names.includes(yours!) && <span className="latch-tag">yours</span>}
              </dt>
              <dd>
                <NameOf name={group.names[0]!} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <div>
        <h2>Bugs</h2>
        {bugs.length === 0 && <p className="latch-unknown">Not modeled here.</p>}
        <ul className="latch-bugs">
          {bugs.map((bug) => (
            <li key={bug.scenario}>
              <BugLink bug={bug} scenarios={scenarios} />
              <span className="latch-versions">{versionsInWords(bug)}</span>
              <Verdict bug={bug} server={server} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function Verdict({ bug, server }: { bug: ModeledIn; server: NamedServer | null }) {
  const verdict = versionVerdict(bug, server);
  if (verdict === null) return null;
  return <strong data-has-bug={bug.version_has_bug === true}>{verdict}</strong>;
}

const NameOf = ({ name: { code, event } }: { name: CatalogueName }) => (
  <>
    {code !== null && (
      <code>
        <CodeName name={code} />
      </code>
    )}
    <span className="latch-event">
      {event === null ? 'no event in performance_schema' : <CodeName name={event} />}
    </span>
  </>
);

/** Names of versions that call the latch the same. */
interface NameGroup {
  ranges: string;
  names: CatalogueName[];
}

function groupsOf(names: readonly CatalogueName[]): NameGroup[] {
  const groups = new Map<string, CatalogueName[]>();
  for (const name of names) {
    const key = JSON.stringify([name.code, name.event]);
    groups.set(key, [...(groups.get(key) ?? []), name]);
  }
  return [...groups.values()].map((group) => ({ names: group, ranges: group.map(rangeInWords).join(', ') }));
}
