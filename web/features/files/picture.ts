import type { Manifest } from '../../contract/manifest';
import type { ChartPicture } from '../../session/chart-picture';
import type { RunDescription } from '../../session/run-description';

/** What a picture of the charts shows. */
export interface PictureContent {
  picture: ChartPicture;
  description: RunDescription;
  manifest: Manifest;
  /** Latencies below it cannot be told apart; null where it is not known, or they are exact. */
  clock_step_ns: number | null;
}

export type PictureDrawer = (content: PictureContent, format: 'svg' | 'png') => Promise<Blob>;
