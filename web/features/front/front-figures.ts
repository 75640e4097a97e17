// Collects the figures on a card of the start page: the report's, and those of the reproduction,
// which every view shows.
import { formatFigure } from '../../analysis/format';
import type { FrontRun, Scenario } from '../../contract/manifest';

export interface FrontFigures {
  unit: string;
  /** Before and after, or a single value. */
  here: string;
  reported: string;
  remark: string;
}

const ARROW = ' → ';

export function frontFigures(scenario: Scenario, { figures }: FrontRun): FrontFigures {
  const { unit, here, reported, remark } = figures;
  return {
    unit,
    here: here.map((label) => formatFigure(reproduced(scenario, label))).join(ARROW),
    reported: reported.map((id) => inWords(reportedValue(scenario, id))).join(ARROW),
    remark,
  };
}

const reproduced = ({ reproduction }: Scenario, label: string) =>
  reproduction.find((row) => row.label === label)?.here;

/** If the report gives a range, the reproduction names the value that corresponds to this run. */
function reportedValue({ manifest, reproduction }: Scenario, id: string) {
  const row = reproduction.find(({ figure }) => figure === id);
  return row?.reported ?? manifest.reported.find((figure) => figure.id === id)!.value;
}

const inWords = (value: number | readonly [number, number]) =>
  typeof value === 'number' ? formatFigure(value) : value.map(formatFigure).join('–');
