import { useMemo } from 'react';

import { measuredPhases, type RunPhase } from '../session/measured-phases';
import { specWithWhatIf } from '../session/baseline-run';
import { useExplorer, useInFrame, useSession } from './session-context';

/** Returns the phases of the run so far, computed as often as the tiles. */
export function usePhases(): readonly RunPhase[] {
  const { history } = useSession();
  const manifest = useExplorer((state) => state.scenario.manifest);
  const started = useExplorer((state) => state.spec);
  const supposed = useExplorer((state) => state.whatIfByHand);
  const marks = useExplorer((state) => state.marks);
  const live = useInFrame((state) => state.live);
  const runState = useExplorer((state) => state.run_state);
  return useMemo(
    () => {
      const spec = specWithWhatIf({ spec: started, marks, whatIfByHand: supposed });
      return spec === null ? [] : measuredPhases({ marks, history, spec }, manifest);
    },
    // React does not notice changes of the history.
    [marks, history, started, supposed, manifest, live, runState],
  );
}
