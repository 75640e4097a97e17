import { families } from 'virtual:scenario-texts/processor-families';
import { describe, expect, test } from 'vitest';

import { defaultRunSpec } from '../../contract/run-spec';
import type { Family } from '../../contract/scenario-files/plausible-servers';
import { named_servers, server_fields, valuesOfServer } from '../../contract/servers';
import { fil_mutex, machine, scenarios } from '../../contract/test-fixtures';
import { checkDraft, draftOf } from '../../session/draft';
import { distinctFamilies, processorTitle } from '../../session/plausible-servers';
import {
  changeOf,
  formFaults,
  formOf,
  nsOfPs,
  processorOf,
  psOfNs,
  valuesOf,
  withFamily,
  withServer,
  withSuggestion,
  type ServerForm,
} from './server-form';

const { manifest } = fil_mutex;
const draft = draftOf(defaultRunSpec(manifest, machine, 'virtual'));
const threadsDraft = draftOf(defaultRunSpec(manifest, machine, 'threads'));
const form = formOf(draft, manifest.virtual_server);
const all = families as readonly Family[];
const offered = distinctFamilies(all);
const family = (id: string) => all.find((one) => one.id === id)!;
const typed = (change: Record<string, string>): ServerForm => ({
  ...form,
  values: { ...form.values, ...change },
});
const faultsOf = (changed: ServerForm) => formFaults(changed, { draft, scenarios, machine });

describe('nanoseconds', () => {
  test.each([
    ['3.8', 3800],
    ['0.001', 1],
    ['100000000', 100_000_000_000],
    [' 24 ', 24_000],
    ['0', 0],
  ])('%s ns is %d ps', (text, ps) => {
    expect(psOfNs(text)).toBe(ps);
    expect(psOfNs(nsOfPs(ps))).toBe(ps);
  });

  test.each(['', '3,8', '-1', '1e3', '0.0001', '1.', '.5', '9'.repeat(20), 'fast'])(
    '%j is no number of nanoseconds',
    (text) => {
      expect(psOfNs(text)).toBeNull();
    },
  );

  test('every default, smallest and largest cost survives', () => {
    for (const { min, max, default: usual } of server_fields)
      for (const ps of [min, max, usual]) expect(psOfNs(nsOfPs(ps))).toBe(ps);
  });
});

describe('the form of the next run', () => {
  test('shows costs in nanoseconds, and changes nothing by itself', () => {
    expect(form).toMatchObject({ basedOn: 'snb-ep-2013', clients: '54' });
    expect(form.values).toMatchObject({ sockets: '2', pause_ps: '3.8', context_switch_ps: '1500' });
    expect(changeOf(form, draft)).toEqual({ threads: 54, server: { based_on: 'snb-ep-2013', own: {} } });
  });

  test('becomes the reader’s own values of the named server', () => {
    const changed = { ...typed({ sockets: '4', pause_ps: '43' }), clients: '200' };
    expect(changeOf(changed, draft)).toEqual({
      threads: 200,
      server: { based_on: 'snb-ep-2013', own: { sockets: 4, pause_ps: 43_000 } },
    });
    expect(faultsOf(changed)).toEqual([]);
  });

  test('a value typed back to that of the named server is no change', () => {
    const own = { ...draft, server: { based_on: 'snb-ep-2013', own: { sockets: 4 } } };
    const back = { ...formOf(own, 'snb-ep-2013'), values: form.values };
    expect(changeOf(back, own).server).toEqual({ based_on: 'snb-ep-2013', own: {} });
  });

  test('on real threads, has the clients only', () => {
    expect(changeOf({ ...formOf(threadsDraft, 'snb-ep-2013'), clients: '9' }, threadsDraft)).toEqual({
      threads: 9,
    });
  });
});

describe('a fault names the field, the value and what is allowed', () => {
  test.each(server_fields)('$id', ({ id, unit, min, max }) => {
    const scale = unit === 'ps' ? 1000 : 1;
    for (const bad of [String(max / scale + 1), 'x', '']) {
      const [fault] = faultsOf(typed({ [id]: bad }));
      expect(fault).toMatchObject({ field: `server.${id}`, value: bad });
      const [from, to] = [min / scale, max / scale].map((value) =>
        unit === 'ps' ? value.toLocaleString('en', { maximumFractionDigits: 3 }) : String(value),
      );
      expect(fault!.allowed).toContain(`from ${from} to ${to}`);
    }
  });

  test('too many CPUs', () => {
    expect(faultsOf(typed({ sockets: '8', cores_per_socket: '64' }))).toEqual([
      {
        field: 'server.cores_per_socket',
        value: '64',
        allowed: 'at most 16: a server has at most 256 CPUs',
      },
    ]);
  });

  test('clients, and a what-if that no longer fits', () => {
    expect(faultsOf({ ...form, clients: '0' })).toMatchObject([{ field: 'threads', value: '0' }]);
    const supposed = { ...draft, what_if: { costs: { pause_ps: 200 } } };
    const slow = formFaults(typed({ pause_ps: '90' }), { draft: supposed, scenarios, machine });
    expect(slow).toMatchObject([{ field: 'what_if.costs.pause_ps', value: '200' }]);
  });

  test('but not the faults of other fields of the next run', () => {
    const bad = { ...draft, parameters: { ...draft.parameters, tables: 'x' } };
    expect(formFaults(form, { draft: bad, scenarios, machine })).toEqual([]);
  });
});

describe('processor families', () => {
  test('differ in more than their threads, and have a title without them', () => {
    expect(offered.map(({ id }) => id)).toEqual([
      'epyc-milan',
      'xeon-ice-lake',
      'xeon-cascade-lake',
      'xeon-broadwell',
      'xeon-sandy-bridge',
    ]);
    expect(offered.map(({ title }) => processorTitle(title)).at(-1)).toBe('Intel Xeon, Sandy Bridge-EP');
    expect(named_servers.map(({ title }) => processorTitle(title))).toEqual([
      'AMD EPYC 7003 (Milan)',
      'Intel Xeon E5-2600 (Sandy Bridge-EP) of 2013',
      'Intel Xeon Platinum 8375C (Ice Lake)',
      'Intel Xeon (Ice Lake)',
      'A server of 2025',
      'An ideal machine of 256 cores',
    ]);
  });

  // The ideal machine has all CPUs that a server may have, so four sockets of it have too many.
  const realServers = named_servers.filter(({ id }) => id !== 'ideal-machine');
  test.each(realServers.flatMap(({ id }) => offered.map((of) => [of.id, id] as const)))(
    '%s over %s can run, keeps the cores, and is recognized',
    (id, server) => {
      const before: ServerForm = {
        ...withServer(form, server),
        values: { ...textsOf(server), sockets: '4' },
      };
      const changed = withFamily(before, family(id));
      expect(faultsOf(changed)).toEqual([]);
      expect(changed.values).toMatchObject({ sockets: '4' });
      expect(changed.values.cores_per_socket).toBe(before.values.cores_per_socket);
      expect(processorOf(changed, offered)).toEqual({ kind: 'family', id });
      const { draftSpec } = checkDraft({ ...draft, ...changeOf(changed, draft) }, scenarios, machine);
      expect(formOf(draftOf(draftSpec!), manifest.virtual_server)).toEqual(changed);
    },
  );
  const textsOf = (server: string) => withServer(form, server).values;

  test('have their own costs, the middle of an open range, and otherwise the named server’s', () => {
    expect(valuesOf(withFamily(form, family('epyc-milan')))).toMatchObject({
      cores_per_complex: 8,
      cross_complex_transfer_ps: 107_000,
      pause_ps: 20_000,
      work_percent: valuesOfServer('snb-ep-2013').work_percent,
    });
    expect(valuesOf(withFamily(form, family('xeon-ice-lake')))).toMatchObject({ pause_ps: 49_500 });
    const onAmd = withFamily(withServer(form, 'epyc-cloud-2025'), family('xeon-sandy-bridge'));
    expect(valuesOf(onAmd)).toMatchObject({ cores_per_complex: 128 });
  });

  test('a named server is recognized, and every other value is the reader’s own', () => {
    expect(processorOf(form, offered)).toEqual({ kind: 'server', id: 'snb-ep-2013' });
    expect(processorOf(typed({ sockets: '4' }), offered)).toEqual({ kind: 'own', hasOwnCosts: false });
    expect(processorOf(typed({ pause_ps: '9' }), offered)).toEqual({ kind: 'own', hasOwnCosts: true });
  });
});

test('another part of the page can suggest a server: a family, values and clients', () => {
  const suggested = withSuggestion(
    form,
    { family: 'epyc-milan', values: { sockets: 1, cores_per_socket: 16, pause_ps: 16_000 }, clients: 64 },
    all,
  );
  expect(suggested.clients).toBe('64');
  expect(valuesOf(suggested)).toMatchObject({
    sockets: 1,
    cores_per_socket: 16,
    threads_per_core: 2,
    pause_ps: 16_000,
    same_socket_transfer_ps: 23_000,
  });
  expect(withSuggestion(form, {}, all)).toEqual(form);
});
