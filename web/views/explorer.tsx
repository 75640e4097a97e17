import { Fragment } from 'react';

import { ActionsPanel } from './actions-panel';
import { Brief } from './brief';
import { ChartsPanel } from './charts-panel';
import { DesignPanel } from './design-panel';
import { EvidencePanel } from './evidence-panel';
import { LanesPanel } from './lanes-panel';
import { LessonPanel } from './lesson-panel';
import { LogPanel } from './log-panel';
import { NowTiles } from './now-tiles';
import { ParametersPanel } from './parameters-panel';
import { ResultPanel } from './result-panel';
import { useIsVirtual } from './run-time';
import { ServerPanel } from './server-panel';
import { useExplorer } from './session-context';
import { VirtualTimePanel } from './virtual-time-panel';

/** One bug on one screen. */
export function Explorer() {
  const scenario = useExplorer((state) => `${state.scenario.manifest.id} on ${state.draft.platform}`);
  const is_virtual = useIsVirtual();
  return (
    <>
      <Brief />
      <main className={is_virtual ? 'explorer explorer-virtual' : 'explorer'}>
        <LessonPanel />
        {/* Another bug or platform is another explorer: no chart's axis, open row or chosen tab is carried over. */}
        <Fragment key={scenario}>
          <div className="area area-design">
            <DesignPanel />
          </div>
          <div className="area area-charts">
            <NowTiles />
            {is_virtual && <VirtualTimePanel />}
            <ChartsPanel />
            {is_virtual && <LanesPanel />}
            <div className="events">
              <ActionsPanel />
              <LogPanel />
            </div>
          </div>
          <div className="area area-setup">
            <ParametersPanel />
            {is_virtual && <ServerPanel />}
          </div>
          <div className="area area-evidence">
            <EvidencePanel />
            <ResultPanel />
          </div>
        </Fragment>
      </main>
    </>
  );
}
