import type { Feature } from '../../session/feature';
import { explainCommands } from './explain-commands';
import { nothingExplained } from './explain-state';
import { Explanations, type ExplainPorts } from './explanations';

export { ChainSlot, WalkSlot, WalkStatus } from './explain-slots';

declare module '../../session/feature' {
  interface FeatureModels {
    explanations: Explanations;
  }
}

export const explainFeature: Feature<ExplainPorts> = {
  slice: nothingExplained,
  sliceAfterLeaving: () => nothingExplained,
  open: (page) => {
    const explanations = new Explanations(page);
    return { models: { explanations }, commands: [explainCommands(explanations)] };
  },
};
