// Checks which layer depends on which, in both languages. Exits with 1 if a rule is broken. The
// lists below are the rules; docs/explanation/architecture.md explains them. Add a new layer or dependency
// here.
//
//   node tools/cli.mjs check-architecture [FOLDER]
//   FOLDER   the project to check; default: this checkout
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { readArguments, usageError } from '../command-line.mjs';
import { repository } from '../processes.mjs';

// A layer may use itself and every layer before it.
const CPP_LAYERS_IN_ORDER = ['platform', 'telemetry', 'latch', 'lab', 'server', 'workload', 'api', 'cli'];
// These layers are outside the order. They may use all of the engine, and any header.
const CPP_FREE_LAYERS = ['tests', 'bench'];

const MACHINE_HEADERS =
  /^(thread|mutex|atomic|chrono|random|condition_variable|shared_mutex|future|semaphore|stop_token|latch|barrier|pthread\.h|time\.h|ctime|unistd\.h|sys\/.*)$/;
const MACHINE_NAMES =
  /\bstd::(atomic\w*|j?thread|this_thread|mutex|timed_mutex|recursive_mutex|shared_mutex|condition_variable\w*|future|promise|async|counting_semaphore|binary_semaphore|latch|barrier|chrono|random_device|mt19937\w*)\b/;
// The command line is a process of the host, with signals, files and streams. The engine below it
// is not.
const COMMAND_LINE_LAYER = 'cli';
const PROCESS_HEADERS = /^(unistd\.h|ctime|sys\/(stat|prctl|wait)\.h)$/;
const EMSCRIPTEN_HEADERS = /^emscripten(\/.*|\.h)?$/;
const EMSCRIPTEN_NAMES = /\b(emscripten_\w+|__EMSCRIPTEN\w*|EMSCRIPTEN_\w+|EM_ASM\w*|EM_JS\w*)\b/;
// The engine would need these names to detect its platform, which it must not do.
const PLATFORM_NAMES = /\b(kIsModelled|kPlatformName|LATCHSCOPE_PLATFORM_\w+)\b/;
const LAYERS_ON_ANY_PLATFORM = ['latch', 'lab', 'server', 'workload'];
const MACHINE_LAYERS = ['platform'];
const EMSCRIPTEN_LAYERS = ['platform', 'api', 'cli'];

// The page's layers in order, from the line of docs/explanation/architecture.md that begins with `contract <-`.
const WEB_LAYERS_IN_ORDER = layersInOrder(
  path.join(repository, 'docs/explanation/architecture.md'),
  'contract',
);
// A feature may use itself and the layers before, but no other feature.
const WEB_LAYER_OF_FEATURES = 'features';
// The layer that accesses the browser is outside the order. Only the shell may use it and pass it
// on.
const WEB_BROWSER_LAYER = 'browser';
const WEB_USERS_OF_BROWSER = ['shell'];
const WEB_LAYERS_FOR_BROWSER = WEB_LAYERS_IN_ORDER.slice(0, WEB_LAYERS_IN_ORDER.indexOf('session') + 1);
// Packages and virtual modules that a layer may use, besides the layers before it.
const WEB_PACKAGES = {
  contract: [
    'zod/mini',
    'virtual:scenarios',
    'virtual:lab-exercises',
    'virtual:lab-latches',
    'virtual:lab-names',
  ],
  'engine-client': [],
  recording: ['d3-array', 'zustand/vanilla'],
  analysis: [
    '@lezer/common',
    '@lezer/lr',
    'd3-array',
    'd3-dsv',
    'ml-levenberg-marquardt',
    'ml-matrix',
    'zod/mini',
  ],
  charts: ['d3-array', 'd3-hierarchy', 'd3-scale', 'd3-shape', 'zustand/vanilla'],
  session: ['zustand/vanilla'],
  widgets: ['react', 'react-error-boundary', 'zustand', 'virtual:real-servers'],
  features: [
    '@codemirror/autocomplete',
    '@codemirror/commands',
    '@codemirror/language',
    '@codemirror/lint',
    '@codemirror/state',
    '@codemirror/view',
    '@lezer/highlight',
    'd3-array',
    'd3-dsv',
    'd3-scale',
    'd3-shape',
    'react',
    'react-error-boundary',
    'zustand/vanilla',
    'virtual:latch-help',
    'virtual:scenario-texts',
    'virtual:source-views',
  ],
  shell: ['downshift', 'match-sorter', 'react', 'tinykeys'],
  browser: [],
};
// `web/build` runs in Node while the page is built. No layer of the page may use it.
const WEB_BUILD_LAYER = 'build';

/** Returns the layers that a line of a document lists as `first <- second <- ...`. */
function layersInOrder(document, first) {
  const drawn = readFileSync(document, 'utf8').match(new RegExp(`\\b${first} <- [a-z<\\- ]+`));
  if (drawn === null) throw new Error(`${document} has no line of layers that starts with "${first} <-"`);
  return drawn[0].split('<-').map((layer) => layer.trim());
}

/** Returns every broken rule as {file, line, rule}. File names are relative to `root`. */
export function checkArchitecture(root) {
  return [...checkEngine(path.join(root, 'wasm-engine')), ...checkWeb(path.join(root, 'web'))]
    .map((violation) => ({ ...violation, file: path.relative(root, violation.file) }))
    .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

function checkEngine(engineFolder) {
  return filesBelow(engineFolder, /\.(cc|cpp|h|hpp)$/).flatMap((file) => {
    const layer = layerOf(file, engineFolder);
    if (CPP_FREE_LAYERS.includes(layer)) return [];
    if (!CPP_LAYERS_IN_ORDER.includes(layer)) return [{ file, line: 1, rule: unknownLayer(layer) }];
    return linesWithoutComments(file).flatMap((text, index) =>
      engineRulesBrokenBy(text, layer).map((rule) => ({ file, line: index + 1, rule })),
    );
  });
}

function engineRulesBrokenBy(text, layer) {
  const include = /^\s*#\s*include\s*(?:"([^"]+)"|<([^>]+)>)/.exec(text);
  if (include?.[1]) return quotedIncludeRules(include[1], layer);
  if (include?.[2]) return systemIncludeRules(include[2], layer);
  const rules = [];
  const machineName = MACHINE_NAMES.exec(text)?.[0];
  if (machineName && !MACHINE_LAYERS.includes(layer)) rules.push(onlyIn(machineName, MACHINE_LAYERS));
  const platformName = PLATFORM_NAMES.exec(text)?.[0];
  if (platformName && LAYERS_ON_ANY_PLATFORM.includes(layer)) {
    rules.push(`${platformName}: ${layer}/ must not depend on the platform`);
  }
  const emscriptenName = EMSCRIPTEN_NAMES.exec(text)?.[0];
  if (emscriptenName && !EMSCRIPTEN_LAYERS.includes(layer)) {
    rules.push(onlyIn(emscriptenName, EMSCRIPTEN_LAYERS));
  }
  return rules;
}

function quotedIncludeRules(include, layer) {
  const usedLayer = include.split('/')[0];
  if (!include.includes('/') || ![...CPP_LAYERS_IN_ORDER, ...CPP_FREE_LAYERS].includes(usedLayer)) {
    return [
      `got "${include}"; allowed: "layer/file.h" with one of the layers ${CPP_LAYERS_IN_ORDER.join(', ')}`,
    ];
  }
  const allowed = CPP_LAYERS_IN_ORDER.slice(0, CPP_LAYERS_IN_ORDER.indexOf(layer) + 1);
  return allowed.includes(usedLayer) ? [] : [mayNotUse(layer, usedLayer, allowed)];
}

function systemIncludeRules(include, layer) {
  if (layer === COMMAND_LINE_LAYER && PROCESS_HEADERS.test(include)) return [];
  if (MACHINE_HEADERS.test(include) && !MACHINE_LAYERS.includes(layer)) {
    return [onlyIn(`<${include}>`, MACHINE_LAYERS)];
  }
  if (EMSCRIPTEN_HEADERS.test(include) && !EMSCRIPTEN_LAYERS.includes(layer)) {
    return [onlyIn(`<${include}>`, EMSCRIPTEN_LAYERS)];
  }
  return [];
}

function checkWeb(webFolder) {
  const files = filesBelow(webFolder, /\.(ts|tsx|mts|mjs)$/).filter(
    (file) => layerOf(file, webFolder) !== WEB_BUILD_LAYER,
  );
  const broken = files.flatMap((file) => {
    const layer = layerOf(file, webFolder);
    if (layer === '') return [];
    if (!(layer in WEB_PACKAGES)) return [{ file, line: 1, rule: unknownLayer(layer) }];
    return importsOf(file).flatMap(({ specifier, line }) => {
      const rule = webRuleBrokenBy(specifier, file, layer, webFolder);
      return rule ? [{ file, line, rule }] : [];
    });
  });
  return [...broken, ...circlesAmong(files, webFolder)];
}

function webRuleBrokenBy(specifier, file, layer, webFolder) {
  if (!specifier.startsWith('.')) return packageRule(specifier, file, layer);
  const target = path.resolve(path.dirname(file), specifier);
  const usedLayer = layerOf(target, webFolder);
  const allowed = webLayersFor(layer);
  if (!allowed.includes(usedLayer)) return mayNotUse(layer, usedLayer || 'the page itself', allowed);
  const [feature, usedFeature] = [featureOf(file, webFolder), featureOf(target, webFolder)];
  if (layer === WEB_LAYER_OF_FEATURES && usedLayer === layer && feature !== usedFeature)
    return `the feature ${feature} may not use the feature ${usedFeature}; connect them through the session or the shell`;
  return null;
}

function webLayersFor(layer) {
  if (layer === WEB_BROWSER_LAYER) return [...WEB_LAYERS_FOR_BROWSER, layer];
  const before = WEB_LAYERS_IN_ORDER.slice(0, WEB_LAYERS_IN_ORDER.indexOf(layer) + 1);
  return WEB_USERS_OF_BROWSER.includes(layer) ? [...before, WEB_BROWSER_LAYER] : before;
}

// Returns the folder below features/.
const featureOf = (file, webFolder) => path.relative(webFolder, file).split(path.sep)[1];

/** Finds import cycles, including type imports. Each cycle is reported once, at its first file. */
function circlesAmong(files, webFolder) {
  const known = new Set(files);
  const uses = new Map(
    files.map((file) => [file, [...new Set(importsOf(file).flatMap((used) => fileOf(used, file, known)))]]),
  );
  const done = new Set();
  const circles = [];
  const visit = (file, pathTo) => {
    const at = pathTo.indexOf(file);
    if (at >= 0) circles.push(pathTo.slice(at));
    if (at >= 0 || done.has(file)) return;
    for (const used of uses.get(file)) visit(used, [...pathTo, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  const nameOf = (file) => path.relative(webFolder, file);
  return circles.map((circle) => ({
    file: circle[0],
    line: 1,
    rule: `import cycle: ${[...circle, circle[0]].map(nameOf).join(' -> ')}`,
  }));
}

/** Returns the file that an import names, if it is one of `known`. */
function fileOf({ specifier }, file, known) {
  if (!specifier.startsWith('.')) return [];
  const target = path.resolve(path.dirname(file), specifier);
  return ['', '.ts', '.tsx', '.mts', '.mjs']
    .map((ending) => target + ending)
    .filter((name) => known.has(name));
}

function packageRule(specifier, file, layer) {
  if (/\.test\.tsx?$/.test(file) || file.includes('/test-fixtures/')) return null;
  const allowed = WEB_PACKAGES[layer];
  const isAllowed = allowed.some((name) => specifier === name || specifier.startsWith(`${name}/`));
  return isAllowed ? null : mayNotUse(layer, specifier, [...allowed, 'no other package']);
}

function importsOf(file) {
  const text = linesWithoutComments(file).join('\n');
  const pattern =
    /(?:^|[\s;}])(?:import|export)\s(?:[^'"();]*?\sfrom\s*)?['"]([^'"]+)['"]|\bimport\s*\(\s*['"]([^'"]+)['"]|\bnew\s+URL\(\s*['"]([^'"]+)['"]\s*,\s*import\.meta\.url/g;
  return [...text.matchAll(pattern)].map((match) => {
    const specifier = match[1] ?? match[2] ?? match[3];
    const specifierStart = match.index + match[0].lastIndexOf(specifier);
    return { specifier, line: text.slice(0, specifierStart).split('\n').length };
  });
}

// Replaces comments by blanks, so that line numbers stay the same. Strings are kept.
function linesWithoutComments(file) {
  const token = /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g;
  return readFileSync(file, 'utf8')
    .replace(token, (text) => (text.startsWith('/') ? text.replace(/[^\n]/g, ' ') : text))
    .split('\n');
}

function filesBelow(folder, namePattern) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && namePattern.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.split(path.sep).some((part) => part === 'gen' || part === 'node_modules'));
}

// Returns the first folder below `base`; '' for a file directly in `base`.
function layerOf(file, base) {
  const parts = path.relative(base, file).split(path.sep);
  return parts.length > 1 ? parts[0] : '';
}

const unknownLayer = (layer) => `unknown layer "${layer}"; add it to tools/commands/check-architecture.mjs`;
const onlyIn = (name, layers) => `${name} may be used only in ${layers.join(', ')}`;
const mayNotUse = (layer, used, allowed) => `${layer} may not use ${used}; it may use ${allowed.join(', ')}`;

export function main(args) {
  const { positionals } = readArguments(args, {}, { withPositionals: true });
  const [root = repository, ...more] = positionals;
  if (more.length > 0 || !existsSync(path.join(root, 'wasm-engine')))
    throw usageError('folder', positionals.join(' '), 'one folder that contains the project');
  const violations = checkArchitecture(path.resolve(root));
  for (const { file, line, rule } of violations) console.error(`${file}:${line}: ${rule}`);
  if (violations.length > 0) process.exitCode = 1;
  else console.log('architecture: every layer uses only the layers before it');
}
