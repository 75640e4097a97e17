// Measures the cost of telemetry: compares the native engine with the same engine compiled without
// telemetry.
import { buildNative } from '../../tools/builds.mjs';
import { runNatively } from '../../tools/native-engine.mjs';
import { spread } from './statistics.mjs';

const AIM_COST_MAX = 0.02;

export async function measure({ rounds, seconds }) {
  const { folder: withTelemetry } = await buildNative('native');
  const { folder: without } = await buildNative('no-telemetry');
  const rows = [];
  for (const threads of [1, 2]) {
    const spec = {
      version: 1,
      scenario: 'fil-mutex-69276',
      threads,
      duration_s: seconds,
      design: { tablespace_lookup: 'atomic_word' },
    };
    const costs = [];
    for (let round = 0; round < 2 * rounds; ++round) {
      const on = (await runNatively(withTelemetry, spec)).totals.tps;
      const off = (await runNatively(without, spec)).totals.tps;
      costs.push(1 - on / off);
    }
    rows.push({
      measure: `fraction of throughput lost to telemetry, atomic_word, ${threads} thread${threads > 1 ? 's' : ''}`,
      cost: spread(costs),
      aim: `cost <= ${AIM_COST_MAX}`,
    });
  }
  return rows;
}
