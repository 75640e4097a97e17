import { describe, expect, it } from 'vitest';

import { all_scenarios } from '../contract/all-scenarios';
import { firstRunPlatform, firstRunSpec, lacksCores } from './first-run';
import { parseRunSpec, type Machine } from '../contract/run-spec';
import { fil_mutex, undo_read } from '../contract/test-fixtures';

const fewCores: Machine = { cores: 2, platforms: ['threads', 'virtual'] };
const manyCores: Machine = { cores: 64, platforms: ['threads', 'virtual'] };
const notIsolated: Machine = { cores: 64, platforms: ['virtual'] };

describe('the platform of the first run', () => {
  it('is this machine if it has enough cores', () => {
    expect(firstRunPlatform(undo_read.manifest, manyCores)).toBe('threads');
    expect(lacksCores(undo_read.manifest, manyCores)).toBe(false);
  });

  it('is the virtual server on a machine with fewer', () => {
    expect(firstRunPlatform(undo_read.manifest, fewCores)).toBe('virtual');
    expect(lacksCores(undo_read.manifest, fewCores)).toBe(true);
  });

  it('is what the page can run, whatever the cores', () => {
    expect(firstRunPlatform(undo_read.manifest, notIsolated)).toBe('virtual');
    expect(lacksCores(undo_read.manifest, notIsolated)).toBe(false);
    expect(firstRunPlatform(undo_read.manifest, { cores: 2, platforms: ['threads'] })).toBe('threads');
  });

  it('is the platform that the page prefers where the manifest says nothing of it', () => {
    const manifest = { ...undo_read.manifest };
    delete manifest.first_run;
    expect(firstRunPlatform(manifest, fewCores)).toBe('threads');
    expect(firstRunSpec(manifest, fewCores)).toMatchObject({ threads: 8, actions: [] });
  });
});

describe('the first run', () => {
  it('has the fields of the manifest, and the defaults of the page for the others', () => {
    const spec = firstRunSpec(undo_read.manifest, fewCores);
    expect(spec).toMatchObject({
      platform: 'virtual',
      threads: 32,
      server: 'epyc-cloud-2025',
      interval_s: 0.35,
      design: undo_read.manifest.designs.original,
      actions: [{ at_s: 0.35, action: 'update_k' }],
    });
    expect(spec.parameters).toMatchObject({ rows: 10_000, purge_threads: 4 });
  });

  it('may start with another design', () => {
    expect(firstRunSpec(fil_mutex.manifest, fewCores).design).toEqual(fil_mutex.manifest.designs.fixed);
  });

  it.each(
    all_scenarios.flatMap((scenario) => [fewCores, manyCores].map((machine) => ({ scenario, machine }))),
  )(
    'is a run spec that the page takes: $scenario.manifest.id on $machine.cores cores',
    ({ scenario, machine }) => {
      const spec = firstRunSpec(scenario.manifest, machine);
      expect(parseRunSpec(spec, all_scenarios, machine)).toEqual({ ok: true, value: spec });
    },
  );
});
