// Reads JSON files of Latchscope itself, for the command line: run results and measured files. The
// page opens them as runs and measurements.
import { all_scenarios } from '../../contract/all-scenarios';
import { describeFaults, type Fault } from '../../contract/fault';
import { parseRunResult } from '../../contract/run-result-file';
import { fileSizeFaults } from '../../contract/run-result-limits';
import { isMeasuredText } from '../../contract/run-result-text';
import type { Measured } from '../../contract/scenario-files/measured';
import { parseMeasuredFile } from '../real-servers/measured-file';
import type { LatchFigures } from './reader';
import type { ImportedText } from './text-import';

/** A file of Latchscope has faults. The message has a line for each. */
export class OwnFileRefused extends Error {
  constructor(faults: readonly Fault[]) {
    super(describeFaults(faults).join('\n'));
  }
}

/** Refuses a file that is too large to be read as a whole. */
export function requireOwnSize(bytes: number): void {
  const faults = fileSizeFaults(bytes);
  if (faults.length > 0) throw new OwnFileRefused(faults);
}

/** Throws `OwnFileRefused`. */
export function readOwnFile(text: string): ImportedText {
  return isMeasuredText(text) ? measuredFile(text) : runResult(text);
}

function runResult(text: string): ImportedText {
  const parsed = parseRunResult(text, all_scenarios);
  if (!parsed.ok) throw new OwnFileRefused(parsed.errors);
  const { spec, latches, intervals } = parsed.value;
  const rows = latches.map((row) => ({
    ...{ latch: row.latch, acquisitions: row.acquisitions },
    ...{ waitNs: row.wait_ns, holdNs: row.hold_ns },
  }));
  const figures: LatchFigures = {
    ...{ kind: 'figures', of: 'model', rows, version: null },
    seconds: intervals.at(-1)?.t_s ?? null,
  };
  return {
    form: { id: 'run_result', title: `run result of Latchscope: ${spec.scenario}, ${spec.platform}` },
    contents: [figures],
  };
}

function measuredFile(text: string): ImportedText {
  const manifests = all_scenarios.map(({ manifest }) => manifest);
  const parsed = parseMeasuredFile(text, { manifests, shown: null });
  if (!parsed.ok) throw new OwnFileRefused(parsed.errors);
  const { scenario, server, experiments } = JSON.parse(text.replace(/^\uFEFF/, '')) as Measured;
  const phases = experiments.flatMap(({ runs }) => runs.flatMap((run) => run.phases));
  const rows = phases.flatMap(({ latches }) =>
    Object.entries(latches).map(([latch, { acquisitions }]) => ({
      ...{ latch, acquisitions, waitNs: null, holdNs: null },
    })),
  );
  const figures: LatchFigures = {
    ...{ kind: 'figures', of: 'server', rows, version: `${server.version} ${server.name}` },
    seconds: phases.reduce((sum, { seconds }) => sum + seconds, 0),
  };
  return {
    form: { id: 'measured_file', title: `measured file of Latchscope: ${scenario}, ${server.name}` },
    contents: [figures],
  };
}
