import { useEffect, useId, useRef, useState, useSyncExternalStore } from 'react';
import { createStore } from 'zustand/vanilla';

import type { Manifest } from '../../contract/manifest';
import { defaultRunSpec, type RunSpec } from '../../contract/run-spec';
import { unlessRefused } from '../../session/command-registry';
import { designTitle } from '../../session/designs';
import { refusalToReplace } from '../../session/run-lock';
import type { Session } from '../../session/session';
import { useExplorer, useSession } from '../../widgets/session-context';
import type { PictureSlider as Slider } from './picture';

interface PictureSliderProps {
  slider: Slider;
  /** The outcome of the shown run; null while there is none. */
  outcome: string | null;
}

/** Renders a slider. When it is released, a run on the virtual server starts with its value. */
export function PictureSlider({ slider, outcome }: PictureSliderProps) {
  const { title, unit, values } = slider;
  const session = useSession();
  const spec = useExplorer((state) => state.spec);
  const draftSpec = useExplorer((state) => state.draftSpec);
  const shownSpec = spec ?? draftSpec;
  const runValue = shownSpec === null ? null : slider.valueIn(shownSpec);
  // The reader's position, until the run of the last move is shown or refused. Runs of earlier
  // moves come and go meanwhile.
  const [moved, setMoved] = useState<number | null>(null);
  const moves = useRef(0);
  const place = moved ?? placeOf(values, runValue);
  const value = values[place]!;
  const input = useRef<HTMLInputElement>(null);
  const inputId = useId();
  const hintId = useId();
  useEffect(() => {
    // Keys arrive faster than runs begin and end, so only the last value chosen meanwhile gets a
    // run.
    const chosen: number[] = [];
    let isStarting = false;
    const startLastChosen = async () => {
      const move = moves.current;
      await untilReplaceable(session);
      const [last] = chosen.splice(0).slice(-1);
      // The slider may have been removed meanwhile, which clears the choices.
      if (last === undefined) return;
      await unlessRefused(() => session.startRun(runWith(session, slider, last)));
      if (move === moves.current) setMoved(null);
    };
    const startChosen = async () => {
      if (isStarting) return;
      isStarting = true;
      try {
        while (chosen.length > 0) await startLastChosen();
      } finally {
        isStarting = false;
      }
    };
    // The browser's change event, which React does not expose: the slider was released, or a key
    // has moved it.
    const onLetGo = ({ target }: Event) => {
      chosen.push(values[Number((target as HTMLInputElement).value)]!);
      void startChosen();
    };
    const element = input.current!;
    element.addEventListener('change', onLetGo);
    return () => {
      chosen.length = 0;
      element.removeEventListener('change', onLetGo);
    };
  }, [session, slider, values]);
  return (
    <div className="picture-slider">
      <p className="picture-slider-head">
        <label htmlFor={inputId}>{title}</label>
        <output htmlFor={inputId}>{`${value} ${unit}`}</output>
      </p>
      <input
        id={inputId}
        ref={input}
        type="range"
        min={0}
        max={values.length - 1}
        step={1}
        value={place}
        aria-valuetext={`${value} ${unit}`}
        aria-describedby={hintId}
        onChange={({ target }) => {
          moves.current += 1;
          setMoved(Number(target.value));
        }}
      />
      <p id={hintId} className="muted picture-hint">
        Each value starts a run on the virtual server with the selected design.
      </p>
      <TriedList slider={slider} outcome={outcome} />
    </div>
  );
}

/** Settles when the shown run is neither starting nor ending. */
function untilReplaceable({ store }: Session): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      if (refusalToReplace(store.getState()) !== null) return;
      end();
      resolve();
    };
    const end = store.subscribe(settle);
    settle();
  });
}

/** Returns the index of the nearest value, or the middle if there is no run. */
function placeOf(values: readonly number[], value: number | null): number {
  if (value === null) return Math.floor(values.length / 2);
  const distances = values.map((one) => Math.abs(one - value));
  return distances.indexOf(Math.min(...distances));
}

function runWith({ store }: Session, { run }: Slider, value: number): RunSpec {
  const { scenario, machine, draft } = store.getState();
  const { manifest } = scenario;
  return defaultRunSpec(manifest, machine, 'virtual', { design: draft.design, ...run(value, manifest) });
}

/** Lists the outcome for each value with which a run of this bug has ended. */
function TriedList({ slider, outcome }: PictureSliderProps) {
  const session = useSession();
  const result = useExplorer((state) => state.result);
  const manifest = useExplorer((state) => state.scenario.manifest);
  const tried = useTried(manifest.id);
  useEffect(() => {
    const { opened, marks } = session.store.getState();
    // A picture shows the last design of a run, so an outcome under several designs does not belong
    // to one value.
    const isWhole = opened === null && marks.every(({ kind }) => kind !== 'knob' && kind !== 'latch_stopped');
    if (result === null || outcome === null || !isWhole) return;
    noteTried(manifest, result.spec, { value: slider.valueIn(result.spec), outcome });
  }, [session, result, outcome, manifest, slider]);
  if (tried.length === 0) return null;
  return (
    <ul className="picture-tried" aria-label="Runs so far">
      {tried.map(({ value, outcome: cameOut, design }) => (
        <li key={`${value} ${design}`}>
          {value} {slider.unit}, {design}: {cameOut}
        </li>
      ))}
    </ul>
  );
}

/** The outcome of a run that ended while this page was open. */
interface Tried {
  value: number;
  outcome: string;
  /** Title of the design. */
  design: string;
}

/** By scenario. */
const triedStore = createStore<Readonly<Record<string, readonly Tried[]>>>(() => ({}));
const none: readonly Tried[] = [];
const TRIED_MAX = 12;

/** Replaces an earlier outcome of the same value and design. Sorts by value. */
function noteTried(
  manifest: Manifest,
  { design }: RunSpec,
  { value, outcome }: Pick<Tried, 'value' | 'outcome'>,
): void {
  const title = designTitle(manifest, design);
  const before = (triedStore.getState()[manifest.id] ?? none).filter(
    (other) => other.value !== value || other.design !== title,
  );
  const all = [...before, { value, outcome, design: title }].slice(-TRIED_MAX);
  triedStore.setState({ [manifest.id]: all.sort((a, b) => a.value - b.value) });
}

const useTried = (scenario: string): readonly Tried[] =>
  useSyncExternalStore(triedStore.subscribe, () => triedStore.getState()[scenario] ?? none);
