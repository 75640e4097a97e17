import { expect, test } from 'vitest';

import type { ScriptParameter } from '../../contract/workload-program';
import { parameterInUnits } from './parameter-value';
import { compiled } from './test-fixtures';

const head = 'thread t[1] { transaction { } }';
const parameterOf = (declared: string): ScriptParameter =>
  compiled(`workload "x"; param p = ${declared}; ${head}`).parameters[0]!;

const statement = parameterOf('40us from 1us to 10ms "CPU time"');
const pool = parameterOf('20GiB from 1GiB to 1TiB "Buffer pool"');
const count = parameterOf('8 from 1 to 64');

test.each([
  [statement, '40us', '40'],
  [statement, '2ms', '2000'],
  [statement, '1.5ms', '1500'],
  [statement, '3000ns', '3'],
  [statement, '7', '7'],
  [statement, '40.0', '40'],
  [pool, '0.5TiB', '512'],
  [count, '8', '8'],
])('of %o, %s is %s', (parameter, text, value) => {
  expect(parameterInUnits(parameter, text)).toEqual({ ok: true, value });
});

test.each([
  [statement, '1500ns', 'a whole number of us: 1us to 10000us, in ps, ns, us, ms, s, min, h'],
  [statement, '4KiB', '1us to 10000us, in ps, ns, us, ms, s, min, h'],
  [statement, '4parsecs', '1us to 10000us, in ps, ns, us, ms, s, min, h'],
  [statement, '1s', '1us to 10000us, in ps, ns, us, ms, s, min, h'],
  [statement, '0us', '1us to 10000us, in ps, ns, us, ms, s, min, h'],
  [statement, '-60us', '1us to 10000us, in ps, ns, us, ms, s, min, h'],
  [statement, 'many', '1us to 10000us, in ps, ns, us, ms, s, min, h'],
  [statement, '', '1us to 10000us, in ps, ns, us, ms, s, min, h'],
  [count, '1.5', 'a whole number: 1 to 64, without a unit'],
  [count, '65', '1 to 64, without a unit'],
  [pool, '1s', '1GiB to 1024GiB, in B, KiB, MiB, GiB, TiB'],
  [count, '8us', '1 to 64, without a unit'],
])('of %o, %s is refused', (parameter, text, allowed) => {
  expect(parameterInUnits(parameter, text)).toEqual({ ok: false, allowed });
});
