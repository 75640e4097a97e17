import { momentFormat, momentText } from '../../charts/axes';
import { previousRunInWords } from '../../session/previous-run';
import { isLive, type ExplorerState } from '../../session/store';
import { CommandButton } from '../../widgets/command-button';
import { shownRateScale } from '../../session/chart-picture';
import { useIsVirtual } from '../../widgets/run-time';
import { useExplorer } from '../../widgets/session-context';
import { useOfCharts } from '../../widgets/use-of-charts';

/** Selects how the charts show the run. */
export function ChartsToolbar() {
  const hasRun = useExplorer(({ spec }) => spec !== null);
  const isSinceMark = useExplorer(({ chart }) => chart.isSinceMark);
  const isLog = useOfCharts(shownRateScale) === 'log';
  const isFrozen = useExplorer(({ chart }) => chart.frozen !== null);
  return (
    <div className="charts-toolbar" role="group" aria-label="Charts" data-is-shown={hasRun}>
      <CommandButton
        command="chart.log_scale"
        className="button-small"
        pressed={isLog}
        title="Show throughput on a logarithmic axis"
      >
        Log scale
      </CommandButton>
      <CommandButton
        command="chart.since_mark"
        className="button-small"
        pressed={isSinceMark}
        title="Start the axis at the last mark"
      >
        Last mark
      </CommandButton>
      <CommandButton command="chart.whole_run" className="button-small">
        Whole run
      </CommandButton>
      <CommandButton
        command="chart.freeze"
        className="button-small"
        pressed={isFrozen}
        title="Freeze the charts; the run continues"
      >
        Freeze
      </CommandButton>
    </div>
  );
}

/** Describes what the charts show if they do not follow the run, and how to change that. */
export function ChartsFoot() {
  const hasRun = useExplorer(({ spec }) => spec !== null);
  return (
    <div className="charts-foot" data-is-shown={hasRun}>
      <PreviousRunToggle />
      <ShownPart />
    </div>
  );
}

function ShownPart() {
  const isVirtual = useIsVirtual();
  const text = useExplorer((state) => shownPart(state, isVirtual));
  const isRunLive = useExplorer(({ run_state }) => isLive(run_state));
  // The name of another run needs the space.
  const hasSpace = useExplorer(({ previousRun }) => previousRun === null);
  return (
    <span className="charts-shown">
      <span className={text === '' ? 'muted' : 'charts-still'}>
        <span role="status" aria-label="Visible part of the run">
          {text}
        </span>
        {text === '' && hasSpace && 'Point to read values, drag to zoom'}
      </span>
      {text !== '' && isRunLive && (
        <CommandButton command="chart.follow" className="button-small">
          Follow
        </CommandButton>
      )}
    </span>
  );
}

/** The ends of a selected range are rounded to this part of its length. */
const PARTS_TOLD = 100;

/** Returns an empty text while the charts follow the run. */
function shownPart({ chart: { zoom, frozen } }: ExplorerState, isVirtual: boolean): string {
  if (frozen !== null) {
    return `frozen at ${momentText(frozen.atS, frozen.range, isVirtual)}${zoom === null ? '' : ', zoomed'}`;
  }
  if (zoom === null) return '';
  const { unit, figure } = momentFormat(zoom, isVirtual, PARTS_TOLD);
  return `zoomed to ${figure(zoom.fromS)}–${figure(zoom.toS)} ${unit}`;
}

/** Shows the other run in the legend; a click removes it from the charts. */
function PreviousRunToggle() {
  const previousRun = useExplorer((state) => state.previousRun);
  const threads = useExplorer(({ spec }) => spec?.threads);
  const isShown = useExplorer(({ chart }) => chart.isPreviousRunShown);
  if (previousRun === null) return null;
  const clients = previousRun.threads === threads ? '' : `, ${previousRun.threads} clients`;
  const text = `${previousRunInWords(previousRun)}${clients}`;
  return (
    <CommandButton
      command="chart.previous_run"
      className="button-small charts-previous-run"
      pressed={isShown}
      title={text}
    >
      <svg width="26" height="10" aria-hidden="true">
        <line x2="26" y1="5" y2="5" />
      </svg>
      {text}
    </CommandButton>
  );
}
