import { formatFigure, formatRatio } from '../../analysis/format';
import type { Manifest } from '../../contract/manifest';
import type { RunSpec } from '../../contract/run-spec';
import { measuredPhases, type RunPhase } from '../../session/measured-phases';
import { useExplorer } from '../../widgets/session-context';
import { usePhases } from '../../widgets/use-phases';
import type { NumberInWords } from './ports';
import type { RecordedResult, SlideShow } from './slide-show';
import type { Slide } from './slides';

/** Ratios within these bounds are no change worth a color. */
const [LOWER, HIGHER] = [0.8, 1.25];

type ShownNumber = Omit<NumberInWords, 'after' | 'number'>;

/**
 * Shows the rates before and after the changes of the shown run, at most three. Those of the recorded
 * run come first: they are the bug's numbers everywhere on the page.
 */
export function MeasuredNumbers({ show, slide }: { show: SlideShow; slide: Slide }) {
  const manifest = useExplorer(({ scenario }) => scenario.manifest);
  const liveSpec = useExplorer((state) => state.spec);
  const livePhases = usePhases();
  const before = show.slides[show.index - 1];
  const hasRates =
    (slide.kind === 'look' && slide.place === 'throughput') ||
    isOfRun(slide) ||
    (slide.kind === 'answer' && isOfRun(before));
  if (!hasRates) return null;
  const { recorded, isWaiting } = show;
  // While its run has not shown the result, a slide does not give it away.
  const result = isWaiting && recorded === null ? null : show.recordedResult();
  const phases = result === null ? livePhases : phasesOfResult(result, manifest);
  const spec = result?.course.spec ?? liveSpec;
  const numbers = result?.numbers ?? (spec === null ? null : ratesOf(phases, spec, show));
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

/** Rates of fewer transactions have two digits. */
const TRANSACTIONS_OF_THREE_DIGITS = 1000;

/**
 * Returns the rates of the first phase and of the last two: the stage's where it has been under the
 * same conditions, otherwise measured ones. Null where a bug's numbers are times: a mean rate says
 * little there.
 */
function ratesOf(phases: readonly RunPhase[], spec: RunSpec, show: SlideShow): ShownNumber[] | null {
  const { stage } = show;
  if (stage?.story.numbers.some(({ figure }) => figure !== 'rate') === true) return null;
  const rates = phases.flatMap((phase) => {
    const { label, tps, measuredFromS, toS, isSettled } = phase;
    if (tps === null || tps === 0 || !isSettled) return [];
    const known = show.numberOfStage(spec, phase.begunBy.at(-1)!)?.number;
    const hasMany = known !== undefined || tps * (toS - measuredFromS) >= TRANSACTIONS_OF_THREE_DIGITS;
    return [{ label, rate: known ?? tps, digits: hasMany ? 3 : 2 }];
  });
  const shown = rates.length <= 3 ? rates : [rates[0]!, ...rates.slice(-2)];
  return shown.map(({ label, rate, digits }, place) => {
    const before = shown[place - 1];
    const ratio = before === undefined ? null : rate / before.rate;
    return {
      value: formatFigure(Number(rate.toPrecision(digits))),
      change: changeOf(ratio),
      ratioInWords: ratio === null ? '' : formatRatio(ratio),
      title: place === 0 ? `${stage?.story.rate ?? 'transactions/s'}, ${label}` : label,
    };
  });
}

/** Returns the phases of a recorded result. */
export function phasesOfResult({ course, toS }: RecordedResult, manifest: Manifest): RunPhase[] {
  return measuredPhases(course, manifest).filter(({ fromS }) => fromS < toS - 1e-9);
}
