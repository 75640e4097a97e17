import { useMemo } from 'react';

import { measuredPhases, type RunPhase } from '../session/measured-phases';
import { useExplorer, useSession } from './session-context';

/** The phases of the run so far, worked out anew as often as the tiles are. */
export function usePhases(): readonly RunPhase[] {
  const { history } = useSession();
  const manifest = useExplorer((state) => state.scenario.manifest);
  const spec = useExplorer((state) => state.spec);
  const marks = useExplorer((state) => state.marks);
  const live = useExplorer((state) => state.live);
  const run_state = useExplorer((state) => state.run_state);
  return useMemo(
    () => (spec === null ? [] : measuredPhases({ marks, history, spec }, manifest)),
    // The history grows without React being told.
    [marks, history, spec, manifest, live, run_state],
  );
}
