import { EvidenceNote } from '../../widgets/evidence-note';
import { Panel } from '../../widgets/panel';

/** Replaces the lanes for a result opened from a file. */
export function NoEvents() {
  return (
    <Panel title="Thread lanes" className="chart-panel">
      <EvidenceNote>
        A result file has no events: no thread lanes and no latch holders. Run it again on the virtual server
        to see them; the run is identical.
      </EvidenceNote>
    </Panel>
  );
}
