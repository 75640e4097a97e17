// Draws the picture of bug #104615: who waits for whom while binary logs are purged.
import { formatDurationNs, formatShare, formatWhole } from '../../analysis/format';
import { threadName } from '../../analysis/lane-words';
import type { PhaseFigures } from '../../analysis/pictures/phase-figures';
import {
  activeFileShare,
  doors,
  expectedGapNs,
  longestFreeze,
  type WaitSpan,
} from '../../analysis/pictures/two-doors';
import { barRow } from '../../charts/pictures/bar-rows';
import { doorsChart, type DoorsView } from '../../charts/pictures/doors-chart';
import { thread_states } from '../../contract/gen/telemetry-layout';
import type { Manifest } from '../../contract/manifest';
import type { RunSpec } from '../../contract/run-spec';
import type { Session } from '../../session/session';
import { isLive, type ExplorerState } from '../../session/store';
import { drawingOf, variantTitle, type DrawnPicture, type PictureOfBug } from './picture';

const EXPIRE = 'expire_logs_1s';
const EXPIRE_AT_S = 0.2;
const KIB = 1024;

export const binlogPicture: PictureOfBug = {
  title: 'Two locks, and one client that deletes files',
  promise:
    'Run, then expire the binary logs, to see the active file, the holders of LOCK_log and LOCK_index, and who waits for whom.',
  draw: ({ session, phases, spec, manifest }) => {
    const state = session.store.getState();
    return drawBinlog({
      phases,
      spec,
      manifest,
      ended: state.result?.counters ?? null,
      queue: queueNow(state, session) ?? queueKnown(session, phases.at(-1)),
    });
  },
  slider: {
    title: 'Old binary logs',
    unit: 'GiB',
    values: [0, 1, 3, 7, 14, 28, 56],
    valueIn: ({ parameters }) => parameters.old_binlogs_gib!,
    run: (oldBinlogsGib, { first_run }) => ({
      interval_s: 0.05,
      duration_s: 1.2 + 0.24 * oldBinlogsGib,
      parameters: { ...first_run?.virtual.parameters, old_binlogs_gib: oldBinlogsGib },
      actions: [{ at_s: EXPIRE_AT_S, action: EXPIRE }],
    }),
  },
};

/** The queue for the two mutexes: their holders, and the number of waiters. */
export interface DoorQueue {
  /** Such as "now", or "in its longest wait". */
  when: string;
  logHolder: string | null;
  indexHolder: string | null;
  behind: number;
  /** How long the rotation waited for LOCK_index; null if it still waits or does not wait. */
  waitedNs: number | null;
}

interface BinlogSeen {
  phases: readonly PhaseFigures[];
  spec: RunSpec;
  manifest: Manifest;
  /** Counters of a finished run, to the end of its last COMMIT. */
  ended: Readonly<Record<string, number>> | null;
  /** null if no recorded thread waited for LOCK_index. */
  queue: DoorQueue | null;
}

/** Returns null while nothing has been written to a binary log. */
export function drawBinlog({ phases, spec, manifest, ended, queue }: BinlogSeen): DrawnPicture | null {
  const phase = phases.at(-1);
  if (phase === undefined || phase.total('binlog_bytes_written') === 0) return null;
  const {
    old_binlogs_gib = 0,
    max_binlog_size_kib = 0,
    active_binlog_kib = 0,
    unlink_ms_per_gib = 0,
  } = spec.parameters;
  const maxBytes = max_binlog_size_kib * KIB;
  const share = activeFileShare(phase, { maxBytes, activeBytes: active_binlog_kib * KIB });
  const before = phases.find(({ actions }) => !actions.includes(EXPIRE));
  const total = (counter: string) => ended?.[counter] ?? phase.total(counter);
  const hasExpired = phase.actions.includes(EXPIRE);
  const ruleNs = hasExpired
    ? expectedGapNs(before, {
        files: old_binlogs_gib,
        unlinkNs: unlink_ms_per_gib * 1e6,
        maxBytes,
      })
    : null;
  const gapNs = total('commit_gap_ms_max') * 1e6;
  const seen = {
    share,
    purged: total('binlog_files_purged'),
    oldFiles: old_binlogs_gib,
    slowCommits: total('slow_commits'),
    blocked: total('binlog_rotations_blocked'),
    gapNs,
    queue,
  };
  return {
    words: inWords(seen, phase, manifest),
    figures: [
      { name: 'Active file filled, about', value: share === null ? 'unknown' : formatShare(share) },
      { name: 'Holder of LOCK_log', value: queue?.logHolder ?? 'unknown' },
      { name: 'Holder of LOCK_index', value: queue?.indexHolder ?? 'unknown' },
      { name: 'Waiting clients', value: queue === null ? 'unknown' : formatWhole(queue.behind) },
      { name: 'Files deleted', value: formatWhole(seen.purged) },
      { name: 'Slow COMMITs', value: formatWhole(seen.slowCommits) },
      { name: 'Longest gap without a COMMIT', value: formatDurationNs(gapNs) },
      {
        name: 'Predicted gap, original design',
        value: ruleNs === null ? 'unknown' : formatDurationNs(ruleNs),
      },
    ],
    outcome: `${formatDurationNs(gapNs)} without a COMMIT, ${formatWhole(seen.slowCommits)} slow COMMITs`,
    drawing: drawingOf(
      doorsChart,
      'doors',
      'Active file, the two locks and their waiters',
      viewOf(seen, phase, manifest, ruleNs),
    ),
  };
}

interface Seen {
  share: number | null;
  purged: number;
  oldFiles: number;
  slowCommits: number;
  /** Rotations that found LOCK_index taken and waited while holding LOCK_log. */
  blocked: number;
  gapNs: number;
  queue: DoorQueue | null;
}

/** A long run loses its record of waiters and holders, but still counts the waits. */
function sightOf({ queue, blocked }: Seen): string {
  if (queue !== null) return `Who waits for whom, ${queue.when}`;
  if (blocked === 0) return 'No thread waited for LOCK_index';
  const rotations = blocked === 1 ? 'One rotation' : `${formatWhole(blocked)} rotations`;
  return `${rotations} waited for LOCK_index, holding LOCK_log`;
}

function viewOf(seen: Seen, { design }: PhaseFigures, manifest: Manifest, ruleNs: number | null): DoorsView {
  const { share, purged, oldFiles, gapNs, queue, blocked } = seen;
  const hasWaited = queue !== null || blocked > 0;
  const holder = (name: string | null | undefined) => (name == null ? 'holder unknown' : `held by ${name}`);
  return {
    file: {
      title:
        share === null ? 'Active file: fill level unknown' : `Active file: about ${formatShare(share)} full`,
      share,
    },
    title: sightOf(seen),
    nodes: [
      {
        text: queue === null ? 'Clients' : `${formatWhole(queue.behind)} clients`,
        detail: 'want to commit',
        look: 'clients',
      },
      { text: doors.log, detail: holder(queue?.logHolder), look: 'log' },
      { text: doors.index, detail: holder(queue?.indexHolder), look: 'index' },
      {
        text: `${formatWhole(purged)} files deleted`,
        detail: `${formatWhole(oldFiles)} old files at the start`,
        look: 'purge',
      },
      {
        text: 'A client’s COMMIT',
        detail: 'that filled a file',
        look: 'clients',
      },
    ],
    edges: [
      { text: queue === null ? 'no waiters' : 'wait for it', isThere: queue !== null && queue.behind > 0 },
      edgeOf(manifest, design, 'rotate_when_index_busy', hasWaited),
      edgeOf(manifest, design, 'unlink_under', true),
      edgeOf(manifest, design, 'purge_by', true),
    ],
    bars: {
      title: 'Longest gap without a COMMIT',
      rows: [
        barRow('now', 'Measured in this run', gapNs, formatDurationNs),
        barRow('limit', 'Predicted: deletion − next fill', ruleNs, formatDurationNs),
      ],
      scale: 'linear',
    },
  };
}

const edgeTexts: Record<string, readonly [there: string, gone: string]> = {
  rotate_when_index_busy: ['waits, holding LOCK_log', 'gives up and keeps writing'],
  unlink_under: ['holds it while deleting', 'deletes without a lock'],
  purge_by: ['deletes before it returns', 'a purge thread deletes'],
};

/** Returns an edge that one knob removes. */
function edgeOf({ designs }: Manifest, design: PhaseFigures['design'], knob: string, isSeen: boolean) {
  const [there, gone] = edgeTexts[knob]!;
  const isOriginal = design[knob] === designs.original![knob];
  if (!isOriginal) return { text: gone, isThere: false };
  return isSeen ? { text: there, isThere: true } : { text: 'no waiters seen', isThere: false };
}

function inWords(seen: Seen, { design }: PhaseFigures, manifest: Manifest): string {
  const { share, purged, slowCommits, gapNs, queue } = seen;
  const file = share === null ? '' : `The active file is about ${formatShare(share)} full. `;
  const knobs = manifest.knobs
    .map(({ id, title }) => `${title}: ${variantTitle(manifest, id, design)}`)
    .join('; ');
  const waits =
    queue === null
      ? `${sightOf(seen)}.`
      : `LOCK_log is held by ${queue.logHolder ?? 'a thread'}, which waits for LOCK_index, held by ${queue.indexHolder ?? 'another thread'}; ${formatWhole(queue.behind)} clients wait${queue.waitedNs === null ? '' : ` for ${formatDurationNs(queue.waitedNs)}`}.`;
  return `${file}${waits} ${formatWhole(purged)} files were deleted. The longest gap without a COMMIT was ${formatDurationNs(gapNs)}, and ${slowCommits === 1 ? 'one COMMIT was' : `${formatWhole(slowCommits)} COMMITs were`} slow. ${knobs}.`;
}

/** Uses the last sample of all threads while the run is in progress or paused. */
function queueNow({ run_state, live }: ExplorerState, session: Session): DoorQueue | null {
  const now = live?.latches_now[doors.index];
  if (!isLive(run_state) || now === undefined || now.waiting === 0) return null;
  const following = thread_states.indexOf('following');
  const inGroups = session.lanesNow()?.threads.filter(({ state }) => state === following).length ?? 0;
  return {
    when: 'now',
    logHolder: live?.latches_now[doors.log]?.holders[0] ?? null,
    indexHolder: now.holders[0] ?? null,
    behind: inGroups + (live?.latches_now[doors.log]?.waiting ?? 0),
    waitedNs: null,
  };
}

/** Uses the recorded lanes, after the run. */
function queueKnown(session: Session, phase: PhaseFigures | undefined): DoorQueue | null {
  const now = session.lanesNow();
  if (now === null || phase === undefined) return null;
  const { names, threads } = now;
  const spans: WaitSpan[] = [];
  session.lanes.visitSince(phase.fromNs, ({ slot, state, site, holder, from_ns, to_ns }) => {
    const name = thread_states[state]!;
    if (name !== 'waiting' && name !== 'following') return;
    const latch = names.latches[names.latchSites[site]?.latch ?? -1] ?? null;
    spans.push({
      slot,
      state: name,
      latch,
      holder: holder < 0 ? null : holder,
      fromNs: from_ns,
      toNs: to_ns,
    });
  });
  const freeze = longestFreeze(spans);
  if (freeze === null) return null;
  const nameOf = (slot: number | null) => {
    const thread = threads.find((one) => one.slot === slot);
    return thread === undefined ? null : threadName(thread, names);
  };
  return {
    when: 'in the longest wait',
    logHolder: nameOf(freeze.rotating),
    indexHolder: nameOf(freeze.purging),
    behind: freeze.behind,
    waitedNs: freeze.waitedNs,
  };
}
