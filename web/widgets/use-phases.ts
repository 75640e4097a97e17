import { useMemo } from 'react';

import { measuredPhases, type RunPhase } from '../session/measured-phases';
import { specAsSupposed } from '../session/run-as-it-went';
import { useExplorer, useInTurn, useSession } from './session-context';

/** The phases of the run so far, worked out anew as often as the tiles are. */
export function usePhases(): readonly RunPhase[] {
  const { history } = useSession();
  const manifest = useExplorer((state) => state.scenario.manifest);
  const started = useExplorer((state) => state.spec);
  const supposed = useExplorer((state) => state.supposed);
  const marks = useExplorer((state) => state.marks);
  const live = useInTurn((state) => state.live);
  const run_state = useExplorer((state) => state.run_state);
  return useMemo(
    () => {
      const spec = specAsSupposed({ spec: started, marks, supposed });
      return spec === null ? [] : measuredPhases({ marks, history, spec }, manifest);
    },
    // The history grows without React being told.
    [marks, history, started, supposed, manifest, live, run_state],
  );
}
