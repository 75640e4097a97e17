import {
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
} from 'react';

import type { FlameStack } from '../../contract/live-view';
import {
  flameStacksOfRun,
  flameTree,
  mainState,
  matchedSamples,
  matches,
  nearestNode,
  ROOT_PATH,
  type FlameNode,
} from '../../analysis/flame';
import { formatShare, formatWhole } from '../../analysis/format';
import { busy_states, knownStates } from '../../contract/time-shares';
import { stateBands } from '../../charts/chart-series';
import { flameLayout, frameAfterKey, type FlameFrame } from '../../charts/flame-layout';
import { EvidenceNote } from '../../widgets/evidence-note';
import { BandLegend } from '../../widgets/legend';
import { useIsVirtual, useSamplesSpan } from '../../widgets/run-time';
import { useExplorer, useInFrame } from '../../widgets/session-context';
import { stateName, stateNames } from '../../widgets/state-names';

/** Frames narrower than this part of the graph are not drawn. */
const WIDTH_MIN = 1 / 500;

/** Draws all sampled stacks in one graph: callers above, callees below. */
export default function FlameGraph() {
  const [shown, show] = useState({ clients: true, server: false });
  const [chosenSpan, chooseSpan] = useState<Span | null>(null);
  const [query, setQuery] = useState('');
  const [zoomedPath, zoom] = useState(ROOT_PATH);
  const isOver = useExplorer((state) => state.result !== null);
  const span = chosenSpan ?? (isOver ? 'run' : 'recent');
  const stacks = useStacks(span);
  const root = useMemo(
    () =>
      flameTree(
        rootName(shown),
        (stacks ?? []).filter((stack) => isShown(stack, shown)),
      ),
    [stacks, shown],
  );
  const zoomed = nearestNode(root, zoomedPath);
  return (
    <div className="flame">
      <div className="row flame-controls">
        <Whose shown={shown} onChange={show} />
        <SpanChoice span={span} onChange={chooseSpan} />
        <Search query={query} onChange={setQuery} root={root} />
      </div>
      <Breadcrumb zoomed={zoomed} onZoom={zoom} />
      {root.samples === 0 ? (
        <p className="muted">
          {stacks === undefined ? 'Run to sample stacks.' : 'No samples of these threads.'}
        </p>
      ) : (
        <Icicle root={root} zoomed={zoomed} query={query} onZoom={zoom} />
      )}
      <FlameNote span={span} />
    </div>
  );
}

type Span = 'recent' | 'run';

interface Shown {
  clients: boolean;
  server: boolean;
}

function rootName({ clients, server }: Shown): string {
  if (clients && server) return 'all threads';
  return server ? 'server threads' : 'clients';
}

const isShown = ({ is_client }: FlameStack, { clients, server }: Shown) =>
  (is_client !== false && clients) || (is_client !== true && server);

/** Returns undefined while there are no samples. */
function useStacks(span: Span): FlameStack[] | undefined {
  const flame = useInFrame((state) => state.live?.flame);
  const runStacks = useExplorer((state) => state.result?.stacks);
  return useMemo(() => {
    if (span === 'recent' || runStacks === undefined) return flame?.[span];
    return flameStacksOfRun(runStacks, flame?.run ?? []);
  }, [span, flame, runStacks]);
}

function Whose({ shown, onChange }: { shown: Shown; onChange: (shown: Shown) => void }) {
  const box = (part: keyof Shown, title: string) => (
    <label className="row flame-choice">
      <input
        type="checkbox"
        checked={shown[part]}
        onChange={({ target }) => onChange({ ...shown, [part]: target.checked })}
      />
      {title}
    </label>
  );
  return (
    <span role="group" aria-label="Threads" className="row flame-group">
      {box('clients', 'clients')}
      {box('server', 'server threads')}
    </span>
  );
}

function SpanChoice({ span, onChange }: { span: Span; onChange: (span: Span) => void }) {
  const samplesSpan = useSamplesSpan();
  const radio = (value: Span, title: string) => (
    <label className="row flame-choice">
      <input type="radio" name="flame-span" checked={span === value} onChange={() => onChange(value)} />
      {title}
    </label>
  );
  return (
    <span role="radiogroup" aria-label="Time span" className="row flame-group">
      {radio('recent', `last ${samplesSpan}`)}
      {radio('run', 'whole run')}
    </span>
  );
}

interface SearchProps {
  query: string;
  onChange: (query: string) => void;
  root: FlameNode;
}

function Search({ query, onChange, root }: SearchProps) {
  const share = root.samples > 0 ? matchedSamples(root, query) / root.samples : null;
  // Announce the matches when typing pauses, not at each reading.
  const saidQuery = useDeferredValue(query);
  return (
    <span className="row flame-search">
      <input
        type="search"
        aria-label="Find functions"
        placeholder="Find functions"
        value={query}
        onChange={({ target }) => onChange(target.value)}
      />
      <span className="flame-matched">{saidQuery !== '' && `${formatShare(share)} of samples`}</span>
    </span>
  );
}

function Breadcrumb({ zoomed, onZoom }: { zoomed: FlameNode; onZoom: (path: string) => void }) {
  if (zoomed.path === ROOT_PATH) return null;
  return (
    <nav aria-label="Zoom" className="row flame-breadcrumb">
      <button type="button" className="button flame-zoom-out" onClick={() => onZoom(ROOT_PATH)}>
        All frames
      </button>
      <span aria-hidden="true">›</span> <code>{zoomed.name}</code>
    </nav>
  );
}

interface IcicleProps {
  root: FlameNode;
  zoomed: FlameNode;
  query: string;
  onZoom: (path: string) => void;
}

function Icicle({ root, zoomed, query, onZoom }: IcicleProps) {
  const [activePath, activate] = useState(ROOT_PATH);
  const [hoveredPath, hover] = useState<string | null>(null);
  const layout = useMemo(() => flameLayout(root, zoomed.path, WIDTH_MIN), [root, zoomed]);
  const frameAt = (path: string | null) => layout.frames.find(({ node }) => node.path === path);
  const active = frameAt(nearestNode(root, activePath).path) ?? frameAt(zoomed.path) ?? layout.frames[0]!;
  const tree = useFocusThatStays(active.node.path);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') onZoom(active.node.path);
    else if (event.key === 'Escape') onZoom(ROOT_PATH);
    else {
      const next = frameAfterKey(layout, active, event.key);
      if (next === null) return;
      activate(next.node.path);
      hover(null);
    }
    event.preventDefault();
  };
  return (
    <>
      <FrameDetail frame={frameAt(hoveredPath) ?? active} root={root} zoomed={zoomed} />
      <div
        ref={tree}
        role="tree"
        aria-label="Flame graph: callers above, callees below"
        className="flame-tree"
        style={{ '--flame-rows': layout.rows } as CSSProperties}
        onKeyDown={onKeyDown}
        onPointerLeave={() => hover(null)}
      >
        {layout.frames.map((frame) => (
          <Frame
            key={frame.node.path}
            frame={frame}
            share={frame.node.samples / root.samples}
            isActive={frame === active}
            isDim={query !== '' && !matches(frame.node.name, query)}
            onHover={hover}
            onZoom={(path) => {
              activate(path);
              onZoom(path);
            }}
          />
        ))}
      </div>
      {layout.leftOut > 0 && (
        <p className="muted">
          {formatWhole(layout.leftOut)} narrower frames are hidden. Zoom in to see them.
        </p>
      )}
    </>
  );
}

/** Keeps the focus on the active frame, which moves, grows or disappears with each reading. */
function useFocusThatStays(activePath: string) {
  const tree = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useLayoutEffect(() => {
    const element = tree.current!;
    const note = (event: FocusEvent) => {
      hadFocus.current = event.type === 'focusin' || element.contains(event.relatedTarget as Node | null);
    };
    element.addEventListener('focusin', note);
    element.addEventListener('focusout', note);
    return () => {
      element.removeEventListener('focusin', note);
      element.removeEventListener('focusout', note);
    };
  }, []);
  useLayoutEffect(() => {
    const focused = document.activeElement;
    const hasFocus = tree.current!.contains(focused) || (hadFocus.current && focused === document.body);
    if (hasFocus) tree.current!.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: false });
  }, [activePath]);
  return tree;
}

interface FrameProps {
  frame: FlameFrame;
  /** Share of all shown samples. */
  share: number;
  isActive: boolean;
  isDim: boolean;
  onHover: (path: string) => void;
  onZoom: (path: string) => void;
}

function Frame({ frame, share, isActive, isDim, onHover, onZoom }: FrameProps) {
  const { node, row, left, width, place, siblings, isAncestor, widestChild } = frame;
  const isVirtual = useIsVirtual();
  const state = mainState(node.states);
  const band = stateBands(isVirtual).find(({ column }) => column === state);
  const mostly = state === null || node.isDoing ? '' : `, mostly ${stateName(state, isVirtual)}`;
  return (
    <div
      role="treeitem"
      aria-level={row + 1}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-expanded={widestChild === null ? undefined : true}
      aria-label={`${node.name}: ${formatWhole(node.samples)} samples, ${formatShare(share)}${mostly}`}
      aria-selected={isActive}
      tabIndex={isActive ? 0 : -1}
      className={`flame-frame flame-${state ?? 'unknown'}`}
      data-is-doing={node.isDoing}
      data-is-ancestor={isAncestor}
      data-is-dim={isDim}
      style={
        {
          left: `${left * 100}%`,
          width: `${width * 100}%`,
          '--flame-row': row,
          '--flame-state': band && `var(${band.color})`,
        } as CSSProperties
      }
      onClick={() => onZoom(node.path)}
      onPointerEnter={() => onHover(node.path)}
    >
      {node.isDoing && band !== undefined && (
        <span
          className={`swatch flame-swatch texture-${band.texture}`}
          style={{ backgroundColor: `var(${band.color})` }}
        />
      )}
      {node.name}
    </div>
  );
}

interface FrameDetailProps {
  frame: FlameFrame;
  root: FlameNode;
  zoomed: FlameNode;
}

/** Shows details of the frame under the pointer, else of the keyboard's active frame. */
function FrameDetail({ frame: { node, isAncestor }, root, zoomed }: FrameDetailProps) {
  const found = busy_states.reduce((sum, state) => sum + (node.states[state] ?? 0), 0);
  const states = busy_states
    .filter((state) => (node.states[state] ?? 0) > 0)
    .map((state) => `${stateNames[state]} ${formatShare(node.states[state]! / found)}`);
  const isZoomed = zoomed.path !== ROOT_PATH && !isAncestor;
  return (
    <p className="flame-detail">
      <strong>{node.name}</strong>
      <span>
        {formatWhole(node.samples)} samples, {formatShare(node.samples / root.samples)}
        {isZoomed && `, ${formatShare(node.samples / zoomed.samples)} of the zoomed frame`}
        {states.length > 0 && ` · ${states.join(', ')}`}
      </span>
    </p>
  );
}

function FlameNote({ span }: { span: Span }) {
  const isVirtual = useIsVirtual();
  const isOver = useExplorer((state) => state.result !== null);
  return (
    <EvidenceNote>
      <BandLegend
        bands={stateBands(isVirtual)}
        names={knownStates(isVirtual).map((state) => stateName(state, isVirtual))}
      />
      <br />
      Width: share of samples. Color: most frequent state.{' '}
      {span === 'run' && isOver
        ? 'For the whole run, only the most frequent stacks. '
        : 'The lowest frames show thread states. '}
      Keys: arrows move, Enter zooms in, Escape zooms out.
    </EvidenceNote>
  );
}
