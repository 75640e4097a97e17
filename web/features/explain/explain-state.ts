// What explanations add to the state of the page.
import type { Explanation } from '../../contract/explanation';
import type { ExplanationTexts } from '../../engine-client/engine';
import type { Feature } from '../../session/feature';
import type { ExplorerState } from '../../session/store';

export type Explaining =
  | { stage: 'none' }
  | {
      stage: 'under_way';
      /** Which transaction, in words. */
      title: string;
      part_done: number;
    }
  | { stage: 'refused'; title: string; reasons: readonly string[] }
  | ({ stage: 'done'; title: string } & Explained);

export interface Explained extends ExplanationTexts {
  /** Null: it is too large to be drawn; the tables sum it up. */
  explanation: Explanation | null;
}

export interface ExplainSlice {
  explaining: Explaining;
}

export type ExplainState = ExplorerState & ExplainSlice;

const nothing_explained: ExplainSlice = { explaining: { stage: 'none' } };

export const explain_feature: Feature = {
  slice: nothing_explained,
  sliceAfterLeaving: () => nothing_explained,
};
