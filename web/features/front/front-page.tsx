import { formatFigure } from '../../analysis/format';
import { viewCommandId } from '../../session/commands';
import { stageLink } from '../../session/link';
import type { FrontRun, Scenario } from '../../contract/manifest';
import { CommandButton } from '../../widgets/command-button';
import { LastSeenBadge } from '../../widgets/last-seen-badge';
import { Part } from '../../widgets/part';
import { useExplorer, useSession } from '../../widgets/session-context';
import { Sparkline } from './sparkline';

/** Shows every bug as a card that opens and starts it. */
export function FrontPage() {
  const scenarios = useExplorer((state) => state.scenarios);
  return (
    <main className="front">
      <header className="front-header">
        <h1>Latchscope</h1>
        <p>
          Real MySQL/InnoDB lock-contention bugs, run live in this page. Watch one break, then change the lock
          design during the run.
        </p>
      </header>
      <ul className="cards" aria-label="Bugs">
        {scenarios.map((scenario) => (
          <Card key={scenario.manifest.id} scenario={scenario} />
        ))}
      </ul>
      <LabInvitation />
      <FrontFooter />
    </main>
  );
}

function Card({ scenario }: { scenario: Scenario }) {
  const { manifest, front_run, last_seen } = scenario;
  const getEngineReady = useEngineReady();
  return (
    <li className="card" onPointerEnter={getEngineReady} onFocus={getEngineReady}>
      <h2>
        <a href={stageLink(manifest.id)}>
          <span className="card-bug">Bug #{manifest.bug}</span> {manifest.title}
        </a>
      </h2>
      <p>{manifest.in_a_sentence}</p>
      {last_seen !== null && <LastSeenBadge lastSeen={last_seen} />}
      {front_run !== null && (
        <Part name="The bug’s run">
          <Sparkline frontRun={front_run} actions={manifest.actions} />
          <Figures scenario={scenario} frontRun={front_run} />
        </Part>
      )}
      <p className="card-run" aria-hidden="true">
        See it break ▸
      </p>
    </li>
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

function Figures({ scenario, frontRun }: { scenario: Scenario; frontRun: FrontRun }) {
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

function LabInvitation() {
  return (
    <section className="front-lab" aria-label="Latch lab">
      <p>
        <CommandButton command={viewCommandId('lab')}>Latch lab</CommandButton> Write your own latch. The
        engine searches for a schedule that breaks it and measures how it scales.
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

export function frontFigures(scenario: Scenario, { figures }: FrontRun): FrontFigures {
  const { unit, here, reported, remark } = figures;
  return {
    unit,
    here: here.map((label) => formatFigure(reproduced(scenario, label))).join(ARROW),
    reported: reported.map((id) => inWords(reportedValue(scenario, id))).join(ARROW),
    remark,
  };
}

const reproduced = ({ reproduction }: Scenario, label: string) =>
  reproduction.find((row) => row.label === label)?.here;

/** If the report gives a range, the reproduction names the value that corresponds to this run. */
function reportedValue({ manifest, reproduction }: Scenario, id: string) {
  const row = reproduction.find(({ figure }) => figure === id);
  return row?.reported ?? manifest.reported.find((figure) => figure.id === id)!.value;
}

const inWords = (value: number | readonly [number, number]) =>
  typeof value === 'number' ? formatFigure(value) : value.map(formatFigure).join('–');
