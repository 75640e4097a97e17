import { useId, useMemo } from 'react';

import { formatRatio, formatWhole } from '../analysis/format';
import { EMBED_DESIGNS } from '../browser/embedding/embed-options';
import { presetOf } from '../contract/design';
import type { Fault } from '../contract/fault';
import { describeFaults } from '../contract/fault';
import { scenarioLabel } from '../contract/scenario-names';
import { chartReadings } from '../features/explorer/chart-readings';
import { ChartKeys, ThroughputPanel } from '../features/explorer/throughput-panel';
import { actionCommandId, designCommandId, mainRunCommandId } from '../session/commands';
import { designRatios } from '../session/design-ratios';
import { linkToPassOn } from '../session/link';
import { CommandButton } from '../widgets/command-button';
import { useExplorer, useInFrame } from '../widgets/session-context';
import { usePhases } from '../widgets/use-phases';
import { EngineNotice, Faults, MissingCapabilities, Refusals } from './run-notices';

interface LinkPort {
  /** Returns false if the link has to open by itself. */
  openOutside: (href: string) => boolean;
}

/** Shows one bug in a frame: its headline, the throughput of the live run, and a flip of its design. */
export function EmbeddedRun({ openOutside }: LinkPort) {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const readings = useMemo(() => chartReadings(manifest, null, true), [manifest]);
  const mainCommand = useExplorer(mainRunCommandId);
  const keys = useId();
  const [firstAction] = manifest.actions;
  return (
    <main className="embed">
      <header>
        <h1>
          <span className="embed-bug">{scenarioLabel(manifest)}</span> {manifest.title}
        </h1>
        <p className="muted">{manifest.in_a_sentence}</p>
      </header>
      <MissingCapabilities />
      <EngineNotice />
      <Refusals />
      <div className="row embed-controls">
        <CommandButton command={mainCommand} className="button-main" />
        <Flip />
        {firstAction !== undefined && (
          <CommandButton command={actionCommandId(firstAction.id)} title={firstAction.explanation} />
        )}
      </div>
      <ThroughputPanel readings={readings} describedBy={keys} />
      <ChartKeys id={keys} />
      <footer className="row embed-foot">
        <Throughput />
        <OpenInLatchscope openOutside={openOutside} />
      </footer>
    </main>
  );
}

const flipTitles = { original: 'Original', fixed: 'Fixed' } as const;

/** Switches the lock design, also during the run. */
function Flip() {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const preset = useExplorer((state) => presetOf(state.scenario.manifest, state.draft.design));
  const phases = usePhases();
  const ratio = useMemo(() => designRatios(phases, manifest).fixed, [phases, manifest]);
  return (
    <div className="row embed-flip" role="group" aria-label="Lock design">
      {EMBED_DESIGNS.map((id) => (
        <CommandButton
          key={id}
          command={designCommandId(id)}
          className="button-preset"
          pressed={preset === id}
          title={manifest.design_titles[id] ?? ''}
        >
          {flipTitles[id]}
          {id === 'fixed' && ratio !== undefined && (
            <span title="Throughput in this run, relative to the original design"> {formatRatio(ratio)}</span>
          )}
        </CommandButton>
      ))}
    </div>
  );
}

function Throughput() {
  const tps = useInFrame(({ live }) => live?.transactions_per_s);
  const isSettled = useInFrame(({ live }) => live?.is_settled !== false);
  return (
    <p>
      <strong className="embed-tps">{formatWhole(tps)}</strong> transactions/s
      {!isSettled && <small> (not settled yet)</small>}
    </p>
  );
}

/** Links to the same run, with all interactive changes so far. */
function OpenInLatchscope({ openOutside }: LinkPort) {
  const href = useExplorer((state) => `./${linkToPassOn(state, [])?.link ?? ''}`);
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener"
      onClick={(event) => {
        if (openOutside(href)) event.preventDefault();
      }}
    >
      Open in Latchscope
    </a>
  );
}

/** Shows why the frame cannot show a run. */
export const EmbedFaults = ({ errors }: { errors: readonly Fault[] }) => (
  <main className="embed">
    <Faults title="This embedded run has invalid options." faults={describeFaults(errors)} />
  </main>
);
