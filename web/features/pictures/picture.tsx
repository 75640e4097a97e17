// Declares the content that each bug's picture supplies to its frame.
import type { ReactNode } from 'react';

import type { PhaseFigures } from '../../analysis/pictures/phase-figures';
import type { BarRow } from '../../charts/pictures/bar-rows';
import type { SvgChart } from '../../charts/svg-plot';
import type { Design } from '../../contract/design';
import type { Manifest } from '../../contract/manifest';
import type { RunSpec } from '../../contract/run-spec';
import type { Session } from '../../session/session';
import { SvgChartHost } from '../../widgets/svg-chart-host';

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

/** The shown run. */
export interface ShownRun {
  session: Session;
  phases: readonly PhaseFigures[];
  spec: RunSpec;
  manifest: Manifest;
}

export interface PictureOfBug {
  title: string;
  /** Describes the picture before anything has run. */
  promise: string;
  /** Returns the present picture; null while nothing has been measured. */
  draw: (run: ShownRun) => DrawnPicture | null;
  slider: PictureSlider;
}

/** Returns a slider that changes the number of clients. */
export const clientsSlider = (
  values: readonly number[],
  run: (manifest: Manifest) => object,
  title = 'Clients',
): PictureSlider => ({
  title,
  unit: 'clients',
  values,
  valueIn: ({ threads }) => threads,
  run: (threads, manifest) => ({ threads, ...run(manifest) }),
});

/** Places a chart. The style sheet gives each `look` its height. */
export const drawingOf = <View,>(chart: SvgChart<View>, look: string, label: string, view: View) => (
  <SvgChartHost label={label} className={`picture-chart picture-${look}`} chart={chart} view={view} />
);

/** Returns the values of bars as figures. */
export const figuresOf = (bars: readonly BarRow[], nameOf = (name: string) => name): PictureFigure[] =>
  bars.map(({ name, valueText }) => ({ name: nameOf(name), value: valueText }));

/** Returns the manifest's title of a knob's variant in this design. */
export function variantTitle({ knobs }: Manifest, knob: string, design: Design): string {
  const { variants } = knobs.find(({ id }) => id === knob)!;
  return (variants.find(({ id }) => id === design[knob]) ?? variants[0]!).title;
}
