import { EvidenceNote } from '../../widgets/evidence-note';
import { Panel } from '../../widgets/panel';

/** In the place of the lanes, of a result that was opened from a file. */
export function NoEvents() {
  return (
    <Panel title="Thread lanes" className="chart-panel">
      <EvidenceNote>
        A result file holds no events: neither what each thread did at which moment, nor who held which latch.
        Run it again to see them: on the virtual server it is the same run.
      </EvidenceNote>
    </Panel>
  );
}
