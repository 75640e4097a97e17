// Declares the explanations' slice of the page's state.
import type { WalkPart } from '../../analysis/chain-walk';
import type { Explanation } from '../../contract/explanation';
import type { ExplanationTexts } from '../../session/extra-engine';

export type Explaining =
  | { stage: 'none' }
  | {
      stage: 'under_way';
      /** Describes the transaction. */
      title: string;
      partDone: number;
    }
  | { stage: 'refused'; title: string; reasons: readonly string[] }
  | ({ stage: 'done'; title: string } & Explained & Walk);

export interface Explained extends ExplanationTexts {
  /** Null if it is too large to draw; the tables summarize it. */
  explanation: Explanation | null;
}

/** The transaction, part by part. */
export interface Walk {
  /** From its begin to its end; empty if it is too large to draw. */
  walk: readonly WalkPart[];
  /** Index of the shown part; null for all parts. */
  part: number | null;
}

export interface ExplainSlice {
  explaining: Explaining;
}

declare module '../../session/store' {
  interface FeatureSlices extends ExplainSlice {}
}

export const nothingExplained: ExplainSlice = { explaining: { stage: 'none' } };
