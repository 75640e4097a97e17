import { formatFigure, formatRatio } from '../../analysis/format';
import type { Manifest } from '../../contract/manifest';
import { measuredPhases, type RunPhase } from '../../session/measured-phases';
import { usePhases } from '../../widgets/use-phases';
import type { NumberInWords } from './ports';
import type { RecordedResult, SlideShow } from './slide-show';
import type { Slide } from './slides';

/** Ratios within these bounds are no change worth a color. */
const [LOWER, HIGHER] = [0.8, 1.25];

type ShownNumber = Omit<NumberInWords, 'after'>;

/**
 * Shows the rates before and after the changes of the shown run, at most three. Those of the recorded
 * run come first: they are the bug's numbers everywhere on the page.
 */
export function MeasuredNumbers({ show, slide }: { show: SlideShow; slide: Slide }) {
  const phases = usePhases();
  const before = show.slides[show.index - 1];
  const hasRates =
    (slide.kind === 'look' && slide.place === 'throughput') ||
    isOfRun(slide) ||
    (slide.kind === 'answer' && isOfRun(before));
  if (!hasRates) return null;
  const { recorded, isWaiting } = show;
  // While its run has not shown the result, a slide does not give it away.
  const result = isWaiting && recorded === null ? null : show.recordedResult();
  const numbers = result?.numbers ?? ratesOf(phases, show);
  if (numbers === null) return null;
  return (
    <dl className="slide-numbers">
      {numbers.map(({ value, change, ratioInWords, title }, place) => (
        <div key={place} data-change={change}>
          <dd>
            {value}
            {place > 0 && ratioInWords !== '' && <span className="slide-ratio"> {ratioInWords}</span>}
          </dd>
          <dt>{title}</dt>
        </div>
      ))}
    </dl>
  );
}

const isOfRun = (slide: Slide | undefined) => slide?.kind === 'task' && slide.content.explain === null;

function changeOf(ratio: number | null): ShownNumber['change'] {
  if (ratio === null) return undefined;
  if (ratio < LOWER) return 'worse';
  return ratio > HIGHER ? 'better' : undefined;
}

/**
 * Returns the measured rates of the first phase and of the last two. Null where a bug's numbers are
 * times: a mean rate says little there.
 */
function ratesOf(phases: readonly RunPhase[], { stage, measured }: SlideShow): ShownNumber[] | null {
  if (stage?.story.numbers.some(({ figure }) => figure !== 'rate') === true) return null;
  const rates = phases.flatMap(({ fromS, label, tps, isSettled }) =>
    tps !== null && tps > 0 && isSettled ? [{ label, rate: measured.get(fromS) ?? tps }] : [],
  );
  const shown = rates.length <= 3 ? rates : [rates[0]!, ...rates.slice(-2)];
  return shown.map(({ label, rate }, place) => {
    const before = shown[place - 1];
    const ratio = before === undefined ? null : rate / before.rate;
    return {
      value: formatFigure(Number(rate.toPrecision(3))),
      change: changeOf(ratio),
      ratioInWords: ratio === null ? '' : formatRatio(ratio),
      title: place === 0 ? `${stage?.story.rate ?? 'transactions/s'}, ${label}` : label,
    };
  });
}

/** Returns the phases of a recorded result. */
export function phasesOfResult({ stage, toS }: RecordedResult, manifest: Manifest): RunPhase[] {
  return measuredPhases(stage.course, manifest).filter(({ fromS }) => fromS < toS - 1e-9);
}
