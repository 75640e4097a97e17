import { useState, type ReactNode } from 'react';

import { counted, formatDurationNs, formatFigure, formatShare, formatWhole } from '../../analysis/format';
import { lineFiguresNow, lineFiguresOfRun, type LineFigures } from '../../analysis/source-figures';
import type { Knob, Variant } from '../../contract/manifest';
import { loadSourceView, type SourceFunction, type SourceLine } from './source-view';
import { isLive, type ExplorerState } from '../../session/store';
import { Options } from '../../widgets/choice';
import { CodeName } from '../../widgets/code-name';
import { EvidenceNote } from '../../widgets/evidence-note';
import { Loading } from '../../widgets/loading';
import { useIsVirtual, useRunTime } from '../../widgets/run-time';
import { useExplorer, useInFrame } from '../../widgets/session-context';
import { useLoaded } from '../../widgets/use-loaded';

/**
 * Shows the engine's source of a knob's variants side by side, with live counts beside their lines.
 */
export default function SourceCode() {
  const { manifest } = useExplorer((state) => state.scenario);
  const source = useLoaded(loadSourceView, manifest.id);
  const design = useExplorer((state) => state.draft.design);
  const [knobId, chooseKnob] = useState(manifest.knobs[0]!.id);
  const [wished, wish] = useState<string | null>(null);
  const knob = manifest.knobs.find(({ id }) => id === knobId)!;
  const chosen = variantOf(knob, design[knob.id]);
  const other = otherVariant(knob, chosen, wished, manifest.designs.fixed?.[knob.id]);
  if (source instanceof Error) return <p role="alert">{source.message}</p>;
  return (
    <div className="source">
      <div className="source-choices">
        <Choice label="Knob" entries={manifest.knobs} value={knob.id} onChange={chooseKnob} />
        <Choice
          label="Compare with"
          entries={knob.variants.filter((variant) => variant !== chosen)}
          value={other.id}
          onChange={wish}
        />
      </div>
      <SourceNote />
      {source === null ? (
        <Loading />
      ) : (
        <div className="source-panes">
          <Pane knob={knob} variant={chosen} functions={source[knob.id]![chosen.id]!} />
          <Pane knob={knob} variant={other} functions={source[knob.id]![other.id]!} />
        </div>
      )}
    </div>
  );
}

const variantOf = (knob: Knob, id: string | undefined) =>
  knob.variants.find((variant) => variant.id === id) ?? knob.variants[0]!;

/**
 * Returns the variant to show beside the chosen one: the reader's choice, else the original. Beside
 * the original, it is the fixed variant.
 */
function otherVariant(
  knob: Knob,
  chosen: Variant,
  wished: string | null,
  fixed: string | undefined,
): Variant {
  const original = knob.variants[0]!;
  const candidates = [
    variantOf(knob, wished ?? undefined),
    original,
    variantOf(knob, fixed),
    ...knob.variants,
  ];
  const isWished = wished !== null && wished !== chosen.id;
  return (isWished ? candidates : candidates.slice(1)).find((variant) => variant !== chosen)!;
}

interface ChoiceProps {
  label: string;
  entries: { id: string; title: string }[];
  value: string;
  onChange: (id: string) => void;
}

function Choice({ label, entries, value, onChange }: ChoiceProps) {
  return (
    <label className="source-choice">
      {label}
      <select value={value} onChange={({ target }) => onChange(target.value)}>
        <Options of={entries} />
      </select>
    </label>
  );
}

function SourceNote() {
  const isOver = useExplorer((state) => state.result !== null);
  const windowS = useInFrame((state) => state.live?.table_window_s);
  const formatRunTime = useRunTime();
  const second = useIsVirtual() ? 'second of virtual time' : 'second';
  return (
    <EvidenceNote>
      {isOver && 'Below each line: its latches and counters over the whole run. '}
      {!isOver && windowS !== undefined && `Counts per ${second} over the last ${formatRunTime(windowS)}. `}
      {!isOver && windowS === undefined && 'Run to see counts below each line. '}
      Contended: share of acquisitions that did not find the latch free. Gray lines do not run in this
      variant.
    </EvidenceNote>
  );
}

interface PaneProps {
  knob: Knob;
  variant: Variant;
  functions: SourceFunction[];
}

function Pane({ knob, variant, functions }: PaneProps) {
  const standing = useStanding(knob, variant);
  return (
    <section className="source-pane" aria-label={variant.title} data-is-running={standing === 'running'}>
      <header className="source-header">
        <h3>{variant.title}</h3>
        <span className="muted">{variant.origin}</span>
        <span className="source-standing">{standingTexts[standing]}</span>
      </header>
      {functions.map((shown) => (
        <FunctionSource key={shown.name} shown={shown} standing={standing} />
      ))}
    </section>
  );
}

/** Whether the variant runs now, has run in a finished run, or is only in the design. */
type Standing = 'running' | 'not_running' | 'has_run' | 'has_not_run' | 'chosen' | 'not_chosen';

const standingTexts: Record<Standing, string> = {
  running: 'running now',
  not_running: 'not running now',
  has_run: 'has run',
  has_not_run: 'has not run',
  chosen: 'in the design',
  not_chosen: 'not in the design',
};

function useStanding(knob: Knob, variant: Variant): Standing {
  const isRunLive = useExplorer((state) => isLive(state.run_state));
  const isChosen = useExplorer(({ draft }) => (draft.design[knob.id] ?? knob.variants[0]!.id) === variant.id);
  const hasRun = useExplorer(
    (state) => state.result !== null && variantsThatRan(state, knob.id).includes(variant.id),
  );
  const isOver = useExplorer((state) => state.result !== null);
  if (isRunLive) return isChosen ? 'running' : 'not_running';
  if (isOver) return hasRun ? 'has_run' : 'has_not_run';
  return isChosen ? 'chosen' : 'not_chosen';
}

/**
 * Returns the variants of a knob that the shown run has used: at its start, and after each change.
 */
export function variantsThatRan(
  { spec, marks }: Pick<ExplorerState, 'spec' | 'marks'>,
  knobId: string,
): string[] {
  if (spec === null) return [];
  const turnedTo = marks.flatMap((mark) =>
    mark.kind === 'knob' && mark.knob.id === knobId ? [mark.variant.id] : [],
  );
  return [...new Set([spec.design[knobId], ...turnedTo])].filter((id) => id !== undefined);
}

function FunctionSource({
  shown: { file, name, lines },
  standing,
}: {
  shown: SourceFunction;
  standing: Standing;
}) {
  const first = lines[0]!.number;
  return (
    <>
      <h4 className="source-function">
        <code>
          <CodeName name={name} />
        </code>
        <span className="muted">
          {file.replace(/^wasm-engine\//, '')}:{first}
        </span>
      </h4>
      <ol className="source-lines" start={first}>
        {lines.map((line) => (
          <Line key={line.number} line={line} standing={standing} />
        ))}
      </ol>
    </>
  );
}

function Line({ line, standing }: { line: SourceLine; standing: Standing }) {
  const { number, html, isRun, sites, counters } = line;
  const counts = isRun && (sites !== undefined || counters !== undefined);
  return (
    <li value={number} data-is-run={isRun} data-counts={counts}>
      <span className="source-number" aria-hidden="true">
        {number}
      </span>
      {/* The build generates this HTML from the project's own source and escapes it. */}
      <code dangerouslySetInnerHTML={{ __html: html }} />
      {counts && <LineCounts line={line} standing={standing} />}
    </li>
  );
}

function LineCounts({
  line: { sites, counters, places },
  standing,
}: {
  line: SourceLine;
  standing: Standing;
}) {
  const others = places === undefined ? 0 : places - 1;
  return (
    <span className="line-counts">
      {sites !== undefined && <SiteCounts sites={sites} standing={standing} />}
      {counters?.map((name) => (
        <CounterCount key={name} name={name} standing={standing} />
      ))}
      {others > 0 && <span className="muted">shared with {counted(others, 'other line')}</span>}
    </span>
  );
}

function SiteCounts({ sites, standing }: { sites: NonNullable<SourceLine['sites']>; standing: Standing }) {
  const rows = useInFrame((state) => state.live?.latch_rows);
  const totals = useExplorer((state) => state.result?.latches);
  const latchNames = [...new Set(sites.map(({ latch }) => latch))].join(', ');
  let figures: LineFigures | null = null;
  if (standing === 'running') figures = lineFiguresNow(rows ?? [], sites);
  if (standing === 'has_run') figures = lineFiguresOfRun(totals ?? [], sites);
  return <Count name={latchNames}>{figures === null ? noCount(standing) : describeFigures(figures)}</Count>;
}

function describeFigures({ acquisitions, perS, contendedShare, meanWaitNs }: LineFigures): string {
  const taken =
    perS === null
      ? `${formatWhole(acquisitions)} ${acquisitions === 1 ? 'time' : 'times'}`
      : `${formatFigure(perS)}/s`;
  const contended = contendedShare === null ? '' : `, ${formatShare(contendedShare)} contended`;
  const waited = meanWaitNs === null ? '' : `, mean wait ${formatDurationNs(meanWaitNs)}`;
  return taken + contended + waited;
}

function CounterCount({ name, standing }: { name: string; standing: Standing }) {
  const now = useInFrame((state) => state.live?.counts[name]);
  const total = useExplorer((state) => state.result?.counters[name]);
  let text = noCount(standing);
  if (standing === 'running' && now !== undefined) {
    text = now.per_s === null ? formatWhole(now.total) : `${formatFigure(now.per_s)}/s`;
  }
  if (standing === 'has_run' && total !== undefined) text = formatWhole(total);
  return <Count name={name}>{text}</Count>;
}

function noCount(standing: Standing): string {
  switch (standing) {
    case 'running':
      return 'not reached yet';
    case 'has_run':
      return 'never reached';
    default:
      return '';
  }
}

function Count({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span className="line-count">
      <strong>
        <CodeName name={name} />
      </strong>{' '}
      {children}
    </span>
  );
}
