// What each picture of a bug gives to the frame around it.
import type { ReactNode } from 'react';

import type { Manifest } from '../../contract/manifest';
import type { RunSpec } from '../../contract/run-spec';

/** One number of a picture, for who reads instead of looking. */
export interface PictureFigure {
  name: string;
  value: string;
}

export interface DrawnPicture {
  /** What it shows, in a few sentences, with its numbers. */
  words: string;
  figures: readonly PictureFigure[];
  /** What came out, in a few words: kept beside the slider's value. */
  outcome: string;
  drawing: ReactNode;
  /** Buttons below it. */
  more?: ReactNode;
}

/** What the one slider of a picture changes of the run. */
export interface PictureSlider {
  title: string;
  unit: string;
  /** The values it goes through; the report's own is among them. */
  values: readonly number[];
  /** Of a run. */
  valueIn: (spec: RunSpec) => number;
  /** Fields of the run that starts with a value; it ends by itself. */
  run: (value: number, manifest: Manifest) => object;
}

/** A hook: what there is to draw now; null: nothing has been measured yet. */
export type UsePicture = () => DrawnPicture | null;

export interface PictureOfBug {
  title: string;
  /** What will be seen, before anything has run. */
  promise: string;
  usePicture: UsePicture;
  slider: PictureSlider;
}
