// Declares the content that each bug's picture supplies to its frame.
import type { ReactNode } from 'react';

import type { Manifest } from '../../contract/manifest';
import type { RunSpec } from '../../contract/run-spec';

/** A number of the picture, for screen readers. */
export interface PictureFigure {
  name: string;
  value: string;
}

export interface DrawnPicture {
  /** Describes the picture in a few sentences, with its numbers. */
  words: string;
  figures: readonly PictureFigure[];
  /** The outcome in a few words, stored with the slider's value. */
  outcome: string;
  drawing: ReactNode;
  /** Buttons below the picture. */
  more?: ReactNode;
}

/** The parameter of the run that the picture's slider changes. */
export interface PictureSlider {
  title: string;
  unit: string;
  /** The values of the slider, including the report's own. */
  values: readonly number[];
  /** Returns a run's value. */
  valueIn: (spec: RunSpec) => number;
  /** Returns fields of the run that starts with a value. The run ends by itself. */
  run: (value: number, manifest: Manifest) => object;
}

/** A hook that returns the present picture; null while nothing has been measured. */
export type UsePicture = () => DrawnPicture | null;

export interface PictureOfBug {
  title: string;
  /** Describes the picture before anything has run. */
  promise: string;
  usePicture: UsePicture;
  slider: PictureSlider;
}
