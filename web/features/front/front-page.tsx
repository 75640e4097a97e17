import { lazy, Suspense, type ReactNode } from 'react';

import { formatFigure } from '../../analysis/format';
import { partsWithNumbers, stageNumbersOf } from '../../analysis/stage-numbers';
import { exerciseLink, stageLink, WAITS_LINK, WORKLOAD_LINK } from '../../session/link';
import { program_to_break } from '../../contract/lab-names';
import type { FrontRun, StageSummary } from '../../contract/manifest';
import { isBugScenario, scenarioLabel, type BugScenario } from '../../contract/scenario-names';
import { LastSeenBadge } from '../../widgets/last-seen-badge';
import { Part } from '../../widgets/part';
import { useExplorer, useSession } from '../../widgets/session-context';
import { Sparkline } from './sparkline';

const MoreReports = lazy(() => import('./more-reports'));

/** The bug that plays by itself: what breaks it is a single statement. */
const DEMO = 'undo-read-117533';

interface FrontPageProps {
  /** Draws a bug that plays by itself. */
  demo: (scenario: string) => ReactNode;
  /** The search for a latch. */
  search: ReactNode;
}

/** Shows one bug at work, and every bug as a card that opens and starts it. */
export function FrontPage({ demo, search }: FrontPageProps) {
  const scenarios = useExplorer((state) => state.scenarios);
  const shown = scenarios.find(({ manifest, stage }) => manifest.id === DEMO && stage !== null);
  return (
    <main className="front">
      <header className="front-header">
        <div className="front-what">
          <h1>Latchscope</h1>
          <p className="front-line">
            Real MySQL lock bugs, run live in this page. Break a server, and fix it while it runs.
          </p>
          {shown !== undefined && (
            <p>
              <a className="button button-main front-start" href={stageLink(DEMO)}>
                Break it yourself ▸
              </a>
            </p>
          )}
          <div className="front-search">{search}</div>
        </div>
        {shown !== undefined && (
          <Part name="The demo">
            <section className="front-demo" aria-label="A bug at work">
              {demo(DEMO)}
            </section>
          </Part>
        )}
      </header>
      <div className="cards">
        <ul aria-label="Bugs">
          {scenarios.filter(isBugScenario).map((scenario) => (
            <Card key={scenario.manifest.id} scenario={scenario} />
          ))}
        </ul>
        <LabCard />
        <WaitsCard />
        <WorkloadCard />
      </div>
      <Part name="More reports">
        <Suspense fallback={null}>
          <MoreReports />
        </Suspense>
      </Part>
      <FrontFooter />
    </main>
  );
}

function Card({ scenario }: { scenario: BugScenario }) {
  const { manifest, front_run, stage, last_seen } = scenario;
  const getEngineReady = useEngineReady();
  return (
    <li className="card" onPointerEnter={getEngineReady} onFocus={getEngineReady}>
      <h2>
        <a href={stageLink(manifest.id)}>
          <span className="card-bug">{scenarioLabel(manifest)}</span>{' '}
          {stage === null ? manifest.title : <WithNumbers words={stage.headline} stage={stage} />}
        </a>
      </h2>
      <p>{stage === null ? manifest.in_a_sentence : <WithNumbers words={stage.sentence} stage={stage} />}</p>
      {front_run !== null && (
        <Part name="The bug’s run">
          <Sparkline frontRun={front_run} actions={manifest.actions} />
          <Figures scenario={scenario} frontRun={front_run} />
        </Part>
      )}
      {last_seen !== null && <LastSeenBadge lastSeen={last_seen} />}
      <p className="card-run" aria-hidden="true">
        See it break ▸
      </p>
    </li>
  );
}

/** The numbers are those of the bug's stage. */
function WithNumbers({ words, stage }: { words: string; stage: StageSummary }) {
  const numbers = stageNumbersOf(stage.numbers, stage.values);
  return partsWithNumbers(words, numbers).map(({ text, isNumber }) =>
    isNumber ? (
      <strong key={text} className="card-number">
        {text}
      </strong>
    ) : (
      text
    ),
  );
}

/**
 * Loads the engine of the stage when the reader points at a card, because a press may follow. The
 * store has the reason if it cannot be loaded.
 */
function useEngineReady(): () => void {
  const session = useSession();
  return () => {
    if (session.store.getState().draft.platform === 'virtual') session.engine().catch(() => undefined);
  };
}

function Figures({ scenario, frontRun }: { scenario: BugScenario; frontRun: FrontRun }) {
  const { unit, here, reported, remark } = frontFigures(scenario, frontRun);
  return (
    <dl className="card-figures">
      <div>
        <dt>here</dt>
        <dd>
          <strong>{here}</strong> {unit}
        </dd>
      </div>
      <div>
        <dt>reported</dt>
        <dd>
          {reported} {unit}
          {remark === '' ? '' : `, ${remark}`}
        </dd>
      </div>
    </dl>
  );
}

function LabCard() {
  const { exercise, source } = program_to_break;
  return (
    <section className="card card-lab" aria-label="Latch lab">
      <h2>
        <a href={exerciseLink(exercise)}>
          <span className="card-bug">Latch lab</span> This lock lets two threads in. Can you see when?
        </a>
      </h2>
      <p>Write a latch. The engine searches for a schedule that breaks it, and measures how it scales.</p>
      <pre className="card-program">
        <code>{source.trim()}</code>
      </pre>
      <p className="card-run" aria-hidden="true">
        Break this latch ▸
      </p>
    </section>
  );
}

function WaitsCard() {
  return (
    <section className="card card-waits" aria-label="Your waits">
      <h2>
        <a href={WAITS_LINK}>
          <span className="card-bug">Your waits</span> Which latch stops your own server?
        </a>
      </h2>
      <p>
        Paste what it prints: two snapshots of <code>performance_schema</code>, InnoDB’s status, a sysbench
        log or stacks. You read which latch the threads wait for, and the bug that it is known for.
      </p>
      <p className="card-run" aria-hidden="true">
        Paste your waits ▸
      </p>
    </section>
  );
}

function WorkloadCard() {
  return (
    <section className="card card-workload" aria-label="Your own bug">
      <h2>
        <a href={WORKLOAD_LINK}>
          <span className="card-bug">Your own bug</span> Which lock stops it, and what would help?
        </a>
      </h2>
      <p>Describe its locks in twenty lines, from a template. Run it here, and change the lock design.</p>
      <p className="card-run" aria-hidden="true">
        New workload ▸
      </p>
    </section>
  );
}

function FrontFooter() {
  const isKept = useExplorer((state) => state.offline.status === 'kept');
  const lacksSpace = useExplorer((state) => state.offline.lacksSpace);
  return (
    <footer className="front-footer">
      <p>
        <strong>How real it is:</strong> a miniature InnoDB takes the same locks as each report, in the same
        order, mode and number. It runs on real threads of your machine or on a deterministic model of a
        many-core server. The curves above are runs on that model, in virtual time; nothing is animated.
        Reported numbers come from the bug reports.
      </p>
      <p>
        Everything runs in this page; no data is sent.
        {isKept && ' The page is stored on this device and works offline.'}
        {!isKept &&
          lacksSpace &&
          ' This device has no space to store the page, so it needs the network.'}{' '}
        License: Apache-2.0.
      </p>
    </footer>
  );
}

/** Figures of a card: the report's, and those of the reproduction, which every view shows. */
interface FrontFigures {
  unit: string;
  /** Before and after, or a single value. */
  here: string;
  reported: string;
  remark: string;
}

const ARROW = ' → ';

export function frontFigures(scenario: BugScenario, { figures }: FrontRun): FrontFigures {
  const { unit, here, reported, remark } = figures;
  return {
    unit,
    here: here.map((label) => formatFigure(reproduced(scenario, label))).join(ARROW),
    reported: reported.map((id) => inWords(reportedValue(scenario, id))).join(ARROW),
    remark,
  };
}

const reproduced = ({ reproduction }: BugScenario, label: string) =>
  reproduction.find((row) => row.label === label)?.here;

/** If the report gives a range, the reproduction names the value that corresponds to this run. */
function reportedValue({ manifest, reproduction }: BugScenario, id: string) {
  const row = reproduction.find(({ figure }) => figure === id);
  return row?.reported ?? manifest.reported.find((figure) => figure.id === id)!.value;
}

const inWords = (value: number | readonly [number, number]) =>
  typeof value === 'number' ? formatFigure(value) : value.map(formatFigure).join('–');
