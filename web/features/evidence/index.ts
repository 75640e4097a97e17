import type { Feature } from '../../session/feature';
import type { Session } from '../../session/session';
import { evidenceAtFirst, evidenceCommands, showOpenedMeasuredFiles, showWhatIsSelected } from './evidence';

export { evidenceCommandId, inspectorTabs, type EvidenceTab } from './evidence';
export { EvidenceForm, Inspector } from './inspector';

export const evidenceFeature: Feature<{ session: Session }> = {
  slice: evidenceAtFirst,
  sliceAfterLeaving: ({ evidence }) => ({ evidence: { ...evidence, tab: null } }),
  open: ({ session }) => {
    showOpenedMeasuredFiles(session);
    showWhatIsSelected(session);
    return { commands: [evidenceCommands(session)] };
  },
};
