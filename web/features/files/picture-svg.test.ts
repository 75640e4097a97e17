import { describe, expect, test } from 'vitest';

import { History, historyColumns, type HistoryRow } from '../../recording/history';
import { undo_read } from '../../contract/test-fixtures';
import { pauseMark } from '../../engine-client/test-fixtures/pause-mark';
import { runMark } from '../../recording/run-marks';
import type { PictureContent } from './picture-frame';
import { pictureSvg } from './picture-svg';
import { svgElement, svgPaint, svgText } from './svg';

const nothing = Object.fromEntries(historyColumns.map((name) => [name, null])) as HistoryRow;
const shares = { running: 0.5, spinning: 0.25, waiting: 0.25, sleeping: 0, io: 0 };

function contentOf(rows: Partial<HistoryRow>[]): PictureContent {
  const history = new History();
  for (const row of rows) history.append({ ...nothing, ...row });
  const range = { fromS: 0, toS: 0.01 };
  return {
    picture: {
      ...{
        history,
        range,
        rangeByItself: range,
        isVirtual: true,
        isStill: false,
        rateScale: 'linear',
        previousRun: null,
      },
      marks: [runMark({ ...pauseMark, run_ns: 5e6, kind: 'knob', subject: 1, value: 1 }, undo_read.manifest)],
    },
    description: { title: 'A <bug> & "its" title', conditions: 'design: original', source: 'Latchscope' },
    manifest: undo_read.manifest,
    clockStepNs: null,
  };
}

const twoRows = [0.002, 0.008].map((tS) => ({
  ...{ t_s: tS, transactions_per_s: 1e4, p50_ns: 1e6, p95_ns: 2e6, p99_ns: 3e6, max_ns: 4e6 },
  ...shares,
}));
const draw = (rows: Partial<HistoryRow>[]) => pictureSvg(contentOf(rows), (property) => `var(${property})`);

/** Returns shapes that are stroked or filled with a color of the style sheet. */
const shapesIn = (svg: string, property: string) =>
  [...svg.matchAll(/<(path|circle) [^>]*>/g)]
    .map(([shape]) => shape)
    .filter((shape) => shape.includes(property));

describe('the picture of a run', () => {
  test('has every line and band, as vectors', () => {
    const { svg, width, height } = draw(twoRows);
    expect(svg).toContain(`viewBox="0 0 ${width} ${height}"`);
    expect(svg).not.toContain('<image');
    for (const property of ['--series-transactions', '--series-p99', '--series-p50']) {
      const paths = shapesIn(svg, `stroke="var(${property})"`).filter((shape) =>
        / d="M[\d.]+,[\d.]+L/.test(shape),
      );
      expect(paths.length, property).toBeGreaterThan(0);
    }
    expect(shapesIn(svg, 'fill="var(--state-spinning)"')).toHaveLength(1);
  });

  test('lies where the charts have it: time over the width, shares over the height', () => {
    const [path] = shapesIn(draw(twoRows).svg, 'fill="var(--state-running)"');
    const places = [...path!.matchAll(/([\d.]+),([\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);
    const xs = places.map(([x]) => x!);
    expect(Math.min(...xs) / Math.max(...xs)).toBeCloseTo(0.25);
    expect(places[0]![1]).toBe(75);
  });

  test('says which run it is, in well-formed text', () => {
    const { svg } = draw(twoRows);
    expect(svg).toContain('<title>A &lt;bug&gt; &amp; &quot;its&quot; title</title>');
    expect(svg).toContain('>design: original</text>');
    expect(svg).toContain('>64 rw_locks</text>');
    expect(svg).toContain('>virtual ms</text>');
    expect(svg).not.toContain('style=');
  });

  test('shows a value between unknown ones as a dot', () => {
    const alone = [{ t_s: 0.001 }, twoRows[0]!, { t_s: 0.003 }];
    expect(shapesIn(draw(alone).svg, 'fill="var(--series-p99)"')).toHaveLength(1);
    expect(shapesIn(draw(twoRows).svg, 'fill="var(--series-p99)"')).toHaveLength(0);
  });

  test('says where nothing is known of the states of threads', () => {
    expect(draw([{ t_s: 0.002, transactions_per_s: 5 }]).svg).toContain('>unknown for this run</text>');
    expect(draw(twoRows).svg).not.toContain('>unknown for this run</text>');
  });
});

test('names are escaped, and control characters left out', () => {
  expect(svgElement('text', { id: 'a"b', x: 1.23456, y: undefined }, svgText('<\u0007&>'))).toBe(
    '<text id="a&quot;b" x="1.23">&lt;&amp;&gt;</text>',
  );
});

test('the opacity of a color is separate', () => {
  expect(svgPaint('fill', 'rgb(0, 114, 178)')).toEqual({ fill: '#0072b2' });
  expect(svgPaint('stroke', 'rgba(20, 32, 43, 0.55)')).toEqual({ stroke: '#14202b', 'stroke-opacity': 0.55 });
});
