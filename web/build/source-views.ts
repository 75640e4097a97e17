// Extracts the engine's source code that each variant of a knob runs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import hljs from 'highlight.js/lib/core';
import cpp from 'highlight.js/lib/languages/cpp';

import { fault } from '../../tools/field-faults.mjs';
import { ScenarioError } from '../../tools/scenario-files.mjs';
import { readSourceView, sourceViewFile } from '../../tools/source-views.mjs';
import type { LineRange, ShownFunction } from '../contract/scenario-files/source-view';
import type { Knob, Manifest } from '../contract/manifest';
import type { SourceFunction, SourceLine, SourceView } from '../features/evidence/source-view';
import { casesRunUnder, countersIn, definitionsOf, latchSitesOf, sitesTakenIn } from './cpp-source.ts';
import { modulesOfScenarios } from './virtual-modules.ts';

const engineLayers = ['latch', 'server', 'workload'];

hljs.registerLanguage('cpp', cpp);

/**
 * Provides `import { sourceViews } from 'virtual:source-views'`: for each scenario, a loader of
 * its source view.
 */
export const sourceViews = (root: string) =>
  modulesOfScenarios(
    { name: 'source-views', list: 'sourceViews', folder: path.join(root, 'scenarios') },
    async (manifest) => {
      const view = await extractSourceView(root, manifest);
      const files = [sourceViewFile(manifest.id), ...filesOf(view)];
      return { files: files.map((file) => path.join(root, file)), exported: { view } };
    },
  );

const filesOf = (view: SourceView) =>
  new Set(
    Object.values(view).flatMap((variants) =>
      Object.values(variants)
        .flat()
        .map(({ file }) => file),
    ),
  );

/** Rejects with a ScenarioError that names the field, its value and the allowed values. */
export async function extractSourceView(root: string, manifest: Manifest): Promise<SourceView> {
  const shown = await readSourceView(path.join(root, 'scenarios'), manifest);
  const sources = new EngineSources(root);
  const problems: string[] = [];
  const view: SourceView = {};
  for (const knob of manifest.knobs) {
    const variants = (view[knob.id] = {} as SourceView[string]);
    for (const { id: variant } of knob.variants) {
      variants[variant] = shown[knob.id]![variant]!.flatMap((entry, i) => {
        const field = `knobs.${knob.id}.${variant}[${i}]`;
        const extracted = extractFunction(sources, entry, { knob, variant, field });
        if ('faults' in extracted) problems.push(...extracted.faults);
        return 'faults' in extracted ? [] : [extracted];
      });
    }
  }
  if (problems.length > 0) {
    throw new ScenarioError(problems.map((line) => `${sourceViewFile(manifest.id)}: ${line}`));
  }
  return view;
}

interface Place {
  knob: Knob;
  variant: string;
  /** Field of the entry in source-view.json. */
  field: string;
}

function extractFunction(
  sources: EngineSources,
  { file, function: name, not_run = [] }: ShownFunction,
  { knob, variant, field }: Place,
): SourceFunction | { faults: string[] } {
  const text = sources.text(file);
  if (text === null) return { faults: [fault(`${field}.file`, file, 'a file of the engine')] };
  const definitions = definitionsOf(name, text);
  const [definition] = definitions;
  if (definition === undefined || definitions.length > 1) {
    const allowed = `a name that ${file} defines exactly once; it defines it ${definitions.length} times`;
    return { faults: [fault(`${field}.function`, name, allowed)] };
  }
  const { first, last } = definition;
  const lines = text.split('\n').slice(first - 1, last);
  const faults = not_run.flatMap((range, i) => rangeFaults(lines, range, `${field}.not_run[${i}]`, name));
  if (faults.length > 0) return { faults };

  const variants = knob.variants.map(({ id }) => id);
  const isRun = casesRunUnder(variant, variants, lines);
  for (const range of not_run) leaveOut(lines, range, isRun);
  const html = coloredLines(lines.join('\n'));
  const linesLeftOut = lines.filter((_, i) => !isRun[i]);
  return {
    file,
    name,
    lines: lines.map((line, i) => ({
      number: first + i,
      html: html[i]!,
      isRun: isRun[i]!,
      ...(isRun[i] ? sources.telemetryOf(file, line, linesLeftOut) : {}),
    })),
  };
}

function rangeFaults(lines: string[], range: LineRange, field: string, name: string): string[] {
  const anchors = Object.entries(range) as [keyof LineRange, string][];
  const ambiguous = (
    [
      ['after', 'from'],
      ['before', 'through'],
    ] as const
  ).filter(([one, other]) => range[one] !== undefined && range[other] !== undefined);
  return [
    ...ambiguous.map(([one, other]) => fault(`${field}.${other}`, range[other], `only without ${one}`)),
    ...anchors.flatMap(([end, anchor]) => {
      const found = lines.filter((line) => line.includes(anchor)).length;
      const allowed = `text that occurs in exactly one line of ${name}; it occurs in ${found}`;
      return found === 1 ? [] : [fault(`${field}.${end}`, anchor, allowed)];
    }),
  ];
}

function leaveOut(lines: string[], { after, from, before, through }: LineRange, isRun: boolean[]): void {
  const lineWith = (anchor: string) => lines.findIndex((line) => line.includes(anchor));
  let first = 0;
  if (after !== undefined) first = lineWith(after) + 1;
  if (from !== undefined) first = lineWith(from);
  // The brace that closes the function stays.
  let end = lines.length - 1;
  if (before !== undefined) end = lineWith(before);
  if (through !== undefined) end = lineWith(through) + 1;
  isRun.fill(false, first, end);
}

/** Returns lines of HTML. A color that spans several lines restarts on each of them. */
export function coloredLines(text: string): string[] {
  const { value } = hljs.highlight(text, { language: 'cpp' });
  let open: string[] = [];
  return value.split('\n').map((line) => {
    const html = open.join('') + line;
    for (const [tag] of line.matchAll(/<span [^>]*>|<\/span>/g)) {
      open = tag === '</span>' ? open.slice(0, -1) : [...open, tag];
    }
    return html + '</span>'.repeat(open.length);
  });
}

/**
 * The engine's source files, and the number of their lines that acquire a latch or increment a
 * counter.
 */
class EngineSources {
  readonly #root: string;
  readonly #texts = new Map<string, string | null>();
  #placesByCounter: Map<string, number> | null = null;

  constructor(root: string) {
    this.#root = root;
  }

  text(file: string): string | null {
    const known = this.#texts.get(file);
    if (known !== undefined) return known;
    const place = path.join(this.#root, file);
    const text = existsSync(place) ? readFileSync(place, 'utf8') : null;
    this.#texts.set(file, text);
    return text;
  }

  /**
   * Returns the latches and counters of a line. Other lines with the same ones share its counts,
   * except lines that do not run.
   */
  telemetryOf(file: string, line: string, linesLeftOut: string[]): Partial<SourceLine> {
    const text = this.text(file)!;
    const known = latchSitesOf(text);
    const names = sitesTakenIn(line, known);
    const counters = countersIn(line);
    const lines = text.split('\n');
    const taking = (name: string, of: string[]) =>
      of.filter((other) => sitesTakenIn(other, known).includes(name)).length;
    const sitePlaces = names.map((name) => taking(name, lines) - taking(name, linesLeftOut));
    const counterPlaces = counters.map((name) => this.#counterPlaces().get(name) ?? 1);
    const places = Math.max(0, ...sitePlaces, ...counterPlaces);
    return {
      ...(names.length > 0 ? { sites: names.flatMap((name) => known.get(name)!) } : {}),
      ...(counters.length > 0 ? { counters } : {}),
      ...(places > 1 ? { places } : {}),
    };
  }

  #counterPlaces(): Map<string, number> {
    if (this.#placesByCounter !== null) return this.#placesByCounter;
    const places = new Map<string, number>();
    for (const file of engineFiles(this.#root)) {
      for (const name of this.text(file)!.split('\n').flatMap(countersIn)) {
        places.set(name, (places.get(name) ?? 0) + 1);
      }
    }
    return (this.#placesByCounter = places);
  }
}

function engineFiles(root: string): string[] {
  return engineLayers.flatMap((layer) => {
    const folder = path.join('wasm-engine', layer);
    return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(cc|h)$/.test(file))
      .map((file) => path.join(folder, file));
  });
}
