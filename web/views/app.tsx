import { ActionsPanel } from './actions-panel';
import { Brief } from './brief';
import { ChartsPanel } from './charts-panel';
import { DesignPanel } from './design-panel';
import { EvidencePanel } from './evidence-panel';
import { LogPanel } from './log-panel';
import { Notices } from './notices';
import { NowTiles } from './now-tiles';
import { ParametersPanel } from './parameters-panel';
import { ReportedPanel } from './reported-panel';
import { ResultPanel } from './result-panel';
import { useExplorer } from './session-context';
import { TopBar } from './top-bar';

/** The explorer: one bug on one screen. */
export function App() {
  const scenario = useExplorer((state) => state.scenario.manifest.id);
  return (
    <div className="app">
      <TopBar />
      <Notices />
      <Brief />
      {/* Another bug is another explorer: no chart's axis, open row or chosen tab is carried over. */}
      <main key={scenario} className="explorer">
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
        </div>
        <div className="area area-evidence">
          <EvidencePanel />
          <ResultPanel />
          <ReportedPanel />
        </div>
      </main>
    </div>
  );
}
