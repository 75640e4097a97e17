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
  const has_run = useExplorer(({ spec }) => spec !== null);
  const is_since_mark = useExplorer(({ chart }) => chart.isSinceMark);
  const is_log = useOfCharts(shownRateScale) === 'log';
  const is_frozen = useExplorer(({ chart }) => chart.frozen !== null);
  return (
    <div className="charts-toolbar" role="group" aria-label="Charts" data-is-shown={has_run}>
      <CommandButton
        command="chart.log_scale"
        className="button-small"
        pressed={is_log}
        title="Show throughput on a logarithmic axis"
      >
        Log scale
      </CommandButton>
      <CommandButton
        command="chart.since_mark"
        className="button-small"
        pressed={is_since_mark}
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
        pressed={is_frozen}
        title="Freeze the charts; the run continues"
      >
        Freeze
      </CommandButton>
    </div>
  );
}

/** Describes what the charts show if they do not follow the run, and how to change that. */
export function ChartsFoot() {
  const has_run = useExplorer(({ spec }) => spec !== null);
  return (
    <div className="charts-foot" data-is-shown={has_run}>
      <PreviousRunToggle />
      <ShownPart />
    </div>
  );
}

function ShownPart() {
  const is_virtual = useIsVirtual();
  const text = useExplorer((state) => shownPart(state, is_virtual));
  const is_live = useExplorer(({ run_state }) => isLive(run_state));
  // The name of another run needs the space.
  const has_room = useExplorer(({ previousRun }) => previousRun === null);
  return (
    <span className="charts-shown">
      <span className={text === '' ? 'charts-hint' : 'charts-still'}>
        <span role="status" aria-label="Visible part of the run">
          {text}
        </span>
        {text === '' && has_room && 'Point to read values, drag to zoom'}
      </span>
      {text !== '' && is_live && (
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
function shownPart({ chart: { zoom, frozen } }: ExplorerState, is_virtual: boolean): string {
  if (frozen !== null) {
    return `frozen at ${momentText(frozen.atS, frozen.range, is_virtual)}${zoom === null ? '' : ', zoomed'}`;
  }
  if (zoom === null) return '';
  const { unit, figure } = momentFormat(zoom, is_virtual, PARTS_TOLD);
  return `zoomed to ${figure(zoom.fromS)}–${figure(zoom.toS)} ${unit}`;
}

/** Shows the other run in the legend; a click removes it from the charts. */
function PreviousRunToggle() {
  const previous_run = useExplorer((state) => state.previousRun);
  const threads = useExplorer(({ spec }) => spec?.threads);
  const is_shown = useExplorer(({ chart }) => chart.isPreviousRunShown);
  if (previous_run === null) return null;
  const clients = previous_run.threads === threads ? '' : `, ${previous_run.threads} clients`;
  const text = `${previousRunInWords(previous_run)}${clients}`;
  return (
    <CommandButton
      command="chart.previous_run"
      className="button-small charts-previous-run"
      pressed={is_shown}
      title={text}
    >
      <svg width="26" height="10" aria-hidden="true">
        <line x2="26" y1="5" y2="5" />
      </svg>
      {text}
    </CommandButton>
  );
}
