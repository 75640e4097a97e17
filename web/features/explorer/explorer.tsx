import { Fragment, type ReactNode } from 'react';

import { ActionsPanel } from './actions-panel';
import { Brief } from './brief';
import { ChartsPanel } from './charts-panel';
import { DesignPanel } from './design-panel';
import { LanesPanel } from './lanes-panel';
import { LogPanel } from './log-panel';
import { NowTiles } from './now-tiles';
import { ParametersPanel } from './parameters-panel';
import { Part } from '../../widgets/part';
import { ResultPanel } from './result-panel';
import { useIsVirtual } from '../../widgets/run-time';
import { ServerPanel } from './server-panel';
import { useExplorer } from '../../widgets/session-context';
import { VirtualTimePanel } from './virtual-time-panel';

/** One bug on one screen, with the lesson and the evidence, of which it knows no more than their places. */
export function Explorer({ lesson, evidence }: { lesson: ReactNode; evidence: ReactNode }) {
  const scenario = useExplorer((state) => `${state.scenario.manifest.id} on ${state.draft.platform}`);
  const is_virtual = useIsVirtual();
  return (
    <>
      <Part name="The story of the bug">
        <Brief />
      </Part>
      <main className={is_virtual ? 'explorer explorer-virtual' : 'explorer'}>
        <Part name="The lesson">{lesson}</Part>
        {/* Another bug or platform is another explorer: no chart's axis, open row or chosen tab is carried over. */}
        <Fragment key={scenario}>
          <div className="area area-design">
            <Part name="The lock design">
              <DesignPanel />
            </Part>
          </div>
          <div className="area area-charts">
            <Part name="The tiles">
              <NowTiles />
            </Part>
            {is_virtual && (
              <Part name="Virtual time">
                <VirtualTimePanel />
              </Part>
            )}
            <Part name="The charts">
              <ChartsPanel />
            </Part>
            {is_virtual && (
              <Part name="The thread lanes">
                <LanesPanel />
              </Part>
            )}
            <div className="events">
              <Part name="The actions">
                <ActionsPanel />
              </Part>
              <Part name="The log">
                <LogPanel />
              </Part>
            </div>
          </div>
          <div className="area area-setup">
            <Part name="The parameters">
              <ParametersPanel />
            </Part>
            {is_virtual && (
              <Part name="The server">
                <ServerPanel />
              </Part>
            )}
          </div>
          <div className="area area-evidence">
            <Part name="The evidence">{evidence}</Part>
            <Part name="The result">
              <ResultPanel />
            </Part>
          </div>
        </Fragment>
      </main>
    </>
  );
}
