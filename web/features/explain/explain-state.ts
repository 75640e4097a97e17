// What explanations add to the state of the page.
import type { WalkPart } from '../../analysis/chain-walk';
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
  | ({ stage: 'done'; title: string } & Explained & Walk);

export interface Explained extends ExplanationTexts {
  /** Null: it is too large to be drawn; the tables sum it up. */
  explanation: Explanation | null;
}

/** The transaction from part to part. */
export interface Walk {
  /** From its begin to its end; none if it is too large to be drawn. */
  walk: readonly WalkPart[];
  /** Index of the part that is looked at; null: all of them. */
  part: number | null;
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
