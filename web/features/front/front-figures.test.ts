import { describe, expect, it } from 'vitest';

import { all_scenarios } from '../../contract/all-scenarios';
import { frontFigures } from './front-page';
import { undo_read } from '../../contract/test-fixtures';

describe('frontFigures', () => {
  it('sets the figures of the run beside those of the report', () => {
    const { unit, here, reported } = frontFigures(undo_read, undo_read.front_run!);
    expect(unit).toBe('TPS');
    expect(here).toMatch(/^1\d,\d{3} → 1\d\d$/);
    // The report gives 10,881 to 14,394 before; the reproduction uses the value of the last second.
    expect(reported).toBe('14,394 → 182–192');
  });

  it.each(all_scenarios)(
    'names reported figures that there are, and curves to draw: $manifest.id',
    (scenario) => {
      const { front_run } = scenario;
      expect(frontFigures(scenario, front_run!).reported).not.toBe('');
      for (const { intervals } of front_run!.runs) expect(intervals.length).toBeGreaterThan(5);
    },
  );
});
