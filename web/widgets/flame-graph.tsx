import {
  useDeferredValue,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
} from 'react';

import {
  mainState,
  matchedSamples,
  matches,
  nearestNode,
  ROOT_PATH,
  type FlameNode,
} from '../analysis/flame';
import { formatShare, formatWhole } from '../analysis/format';
import { stateBands } from '../charts/chart-series';
import { flameLayout, frameAfterKey, type FlameFrame } from '../charts/flame-layout';
import { busy_states, isKnownState, type BusyState } from '../contract/time-shares';
import { EvidenceNote } from './evidence-note';
import { BandLegend } from './legend';
import { stateName, stateNames } from './state-names';

/** Frames narrower than this part of the graph are not drawn. */
const WIDTH_MIN = 1 / 500;

/** What the widths of frames count. */
export interface FlameUnit {
  /** In words, such as `30 samples`. */
  inWords: (amount: number) => string;
  /** What shares are parts of, such as `samples`. */
  whole: string;
}

export const samplesUnit: FlameUnit = {
  inWords: (samples) => `${formatWhole(samples)} samples`,
  whole: 'samples',
};

interface FlameGraphProps {
  root: FlameNode;
  unit: FlameUnit;
  /** Whether a modeled server measured the states. */
  isModeled: boolean;
  /** The states in the legend; default: all that are measured. */
  states?: readonly BusyState[];
  /** What to draw, beside the search field. */
  choices?: ReactNode;
  /** Shown in place of a graph without samples. */
  nothing: string;
  /** What else to know. */
  note?: string;
}

/** Draws stacks in one graph that can be searched and zoomed: callers above, callees below. */
export function FlameGraph({
  root,
  unit,
  isModeled,
  states = busy_states.filter((state) => isKnownState(state, isModeled)),
  choices,
  nothing,
  note,
}: FlameGraphProps) {
  const [query, setQuery] = useState('');
  const [zoomedPath, zoom] = useState(ROOT_PATH);
  const zoomed = nearestNode(root, zoomedPath);
  return (
    <div className="flame">
      <div className="row flame-controls">
        {choices}
        <Search query={query} onChange={setQuery} root={root} unit={unit} />
      </div>
      <Breadcrumb zoomed={zoomed} onZoom={zoom} />
      {root.samples === 0 ? (
        <p className="muted">{nothing}</p>
      ) : (
        <Icicle {...{ root, zoomed, query, unit, isModeled }} onZoom={zoom} />
      )}
      <EvidenceNote>
        <BandLegend
          bands={stateBands(isModeled).filter(({ column }) => states.includes(column))}
          names={states.map((state) => stateName(state, isModeled))}
        />
        <br />
        Width: share of {unit.whole}. Color: most frequent state. {note} Keys: arrows move, Enter zooms in,
        Escape zooms out.
      </EvidenceNote>
    </div>
  );
}

interface FlameChoiceProps {
  type: 'checkbox' | 'radio';
  /** Of radio buttons. */
  name?: string;
  title: string;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
}

export const FlameChoice = ({ type, name, title, isChosen, onChange }: FlameChoiceProps) => (
  <label className="row flame-choice">
    <input type={type} name={name} checked={isChosen} onChange={({ target }) => onChange(target.checked)} />
    {title}
  </label>
);

interface SearchProps {
  query: string;
  onChange: (query: string) => void;
  root: FlameNode;
  unit: FlameUnit;
}

function Search({ query, onChange, root, unit }: SearchProps) {
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
      <span className="flame-matched">{saidQuery !== '' && `${formatShare(share)} of ${unit.whole}`}</span>
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
  unit: FlameUnit;
  isModeled: boolean;
  onZoom: (path: string) => void;
}

function Icicle({ root, zoomed, query, unit, isModeled, onZoom }: IcicleProps) {
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
      <FrameDetail frame={frameAt(hoveredPath) ?? active} {...{ root, zoomed, unit }} />
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
            unit={unit}
            isModeled={isModeled}
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
  unit: FlameUnit;
  isModeled: boolean;
  isActive: boolean;
  isDim: boolean;
  onHover: (path: string) => void;
  onZoom: (path: string) => void;
}

function Frame({ frame, share, unit, isModeled, isActive, isDim, onHover, onZoom }: FrameProps) {
  const { node, row, left, width, place, siblings, isAncestor, widestChild } = frame;
  const state = mainState(node.states);
  const band = stateBands(isModeled).find(({ column }) => column === state);
  const mostly = state === null || node.isDoing ? '' : `, mostly ${stateName(state, isModeled)}`;
  return (
    <div
      role="treeitem"
      aria-level={row + 1}
      aria-posinset={place}
      aria-setsize={siblings}
      aria-expanded={widestChild === null ? undefined : true}
      aria-label={`${node.name}: ${unit.inWords(node.samples)}, ${formatShare(share)}${mostly}`}
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
  unit: FlameUnit;
}

/** Shows details of the frame under the pointer, else of the keyboard's active frame. */
function FrameDetail({ frame: { node, isAncestor }, root, zoomed, unit }: FrameDetailProps) {
  const found = busy_states.reduce((sum, state) => sum + (node.states[state] ?? 0), 0);
  const states = busy_states
    .filter((state) => (node.states[state] ?? 0) > 0)
    .map((state) => `${stateNames[state]} ${formatShare(node.states[state]! / found)}`);
  const isZoomed = zoomed.path !== ROOT_PATH && !isAncestor;
  return (
    <p className="flame-detail">
      <strong>{node.name}</strong>
      <span>
        {unit.inWords(node.samples)}, {formatShare(node.samples / root.samples)}
        {isZoomed && `, ${formatShare(node.samples / zoomed.samples)} of the zoomed frame`}
        {states.length > 0 && ` · ${states.join(', ')}`}
      </span>
    </p>
  );
}
