import { cpusInUse, shapeInWords } from './cpus-in-use';
import type { ServerValues } from '../../session/plausible-servers';

/** Cores of a complex in one row of the drawing. A small complex has two rows. */
const COLUMNS_MAX = 8;
/** Cores of neighboring complexes in one row. */
const ROW_MAX = 12;
const CORE = 12;
const GAP = 3;
const MARGIN = 6;
const COMPLEX_GAP = 8;

/** Pixels per unit of the drawing: servers with fewer cores are drawn larger. */
const scaleOf = (cores: number) => (cores <= 32 ? 2.4 : cores <= 96 ? 1.6 : 1.1);

interface ServerPreviewProps {
  values: ServerValues;
  clients: number;
}

/** Draws sockets, cores and threads. Those that clients use are filled. */
export function ServerPreview({ values, clients }: ServerPreviewProps) {
  const sockets = cpusInUse(values, clients);
  const threads = values.threads_per_core!;
  const cpus = values.sockets! * values.cores_per_socket! * threads;
  const scale = scaleOf(values.sockets! * values.cores_per_socket!);
  const label = `${shapeInWords(values)}, ${Math.min(clients, cpus)} of them used by clients`;
  return (
    <div className="server-preview" role="img" aria-label={label}>
      {sockets.map((complexes, place) => (
        <SocketDrawing key={place} {...{ complexes, threads, scale }} />
      ))}
    </div>
  );
}

interface SocketProps {
  complexes: readonly number[][];
  threads: number;
  scale: number;
}

function SocketDrawing({ complexes, threads, scale }: SocketProps) {
  const largest = complexes[0]!.length;
  const columns = largest <= COLUMNS_MAX ? Math.ceil(largest / 2) : COLUMNS_MAX;
  const complexWidth = columns * (CORE + GAP) - GAP;
  const complexHeight = Math.ceil(largest / columns) * (CORE + GAP) - GAP;
  const inRow = Math.min(complexes.length, Math.max(1, Math.floor(ROW_MAX / columns)));
  const rows = Math.ceil(complexes.length / inRow);
  const width = inRow * (complexWidth + COMPLEX_GAP) - COMPLEX_GAP + 2 * MARGIN;
  const height = rows * (complexHeight + COMPLEX_GAP) - COMPLEX_GAP + 2 * MARGIN;
  return (
    <svg width={width * scale} height={height * scale} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      <rect className="server-socket" x="0.5" y="0.5" width={width - 1} height={height - 1} rx="4" />
      {complexes.map((cores, complex) =>
        cores.map((busy, core) => (
          <Core
            key={`${complex} ${core}`}
            x={MARGIN + (complex % inRow) * (complexWidth + COMPLEX_GAP) + (core % columns) * (CORE + GAP)}
            y={
              MARGIN +
              Math.floor(complex / inRow) * (complexHeight + COMPLEX_GAP) +
              Math.floor(core / columns) * (CORE + GAP)
            }
            {...{ busy, threads }}
          />
        )),
      )}
    </svg>
  );
}

interface CoreProps {
  x: number;
  y: number;
  /** Number of its threads that clients use. */
  busy: number;
  threads: number;
}

function Core({ x, y, busy, threads }: CoreProps) {
  const width = (CORE - (threads - 1)) / threads;
  return Array.from({ length: threads }, (_, thread) => (
    <rect
      key={thread}
      className={thread < busy ? 'server-cpu server-cpu-used' : 'server-cpu'}
      x={x + thread * (width + 1) + 0.5}
      y={y + 0.5}
      width={width - 1}
      height={CORE - 1}
      rx="1.5"
    />
  ));
}
