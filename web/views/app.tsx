import { ActionsPanel } from './actions-panel';
import { Brief } from './brief';
import { ChartsPanel } from './charts-panel';
import { CountersPanel } from './counters-panel';
import { DesignPanel } from './design-panel';
import { LatchPanel } from './latch-panel';
import { LogPanel } from './log-panel';
import { Notices } from './notices';
import { NowTiles } from './now-tiles';
import { ParametersPanel } from './parameters-panel';
import { ReportedPanel } from './reported-panel';
import { ResultPanel } from './result-panel';
import { StacksPanel } from './stacks-panel';
import { TopBar } from './top-bar';

/** The explorer: one bug on one screen. */
export function App() {
  return (
    <div className="app">
      <TopBar />
      <Notices />
      <Brief />
      <main className="explorer">
        <div className="area area-design">
          <DesignPanel />
        </div>
        <div className="area area-charts">
          <NowTiles />
          <ChartsPanel />
          <div className="events">
            <ActionsPanel />
            <LogPanel />
          </div>
        </div>
        <div className="area area-setup">
          <ParametersPanel />
          <ResultPanel />
        </div>
        <div className="area area-evidence">
          <LatchPanel />
          <ReportedPanel />
          <StacksPanel />
          <CountersPanel />
        </div>
      </main>
    </div>
  );
}
