// Checks which layer depends on which, in both languages. Exits with 1 if a rule is broken. The
// rules are in tools/layers.json; docs/explanation/architecture.md explains them.
//
//   node tools/cli.mjs check-architecture [FOLDER]
//   FOLDER   the project to check; default: this checkout
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { readArguments, usageError } from '../command-line.mjs';
import { repository } from '../processes.mjs';

/**
 * The rules. In the engine and in the page, a layer may use itself and each layer before it in `order`.
 * - `free`: engine layers outside the order, which may use all of the engine and any header
 * - `anyPlatform`: engine layers that must not detect their platform
 * - `machine`, `emscripten`, `process`: engine layers that may use threads and clocks, Emscripten, and
 *   signals, files and streams of the host
 * - `apart`: the page's layer whose folders may not use each other
 * - `browser`: the page's layer outside the order: the last layer that it uses, and its users
 * - `packages`: packages and virtual modules that a layer of the page may use
 */
const { engine, page } = JSON.parse(readFileSync(path.join(repository, 'tools/layers.json'), 'utf8'));

const MACHINE_HEADERS =
  /^(thread|mutex|atomic|chrono|random|condition_variable|shared_mutex|future|semaphore|stop_token|latch|barrier|pthread\.h|time\.h|ctime|unistd\.h|sys\/.*)$/;
const MACHINE_NAMES =
  /\bstd::(atomic\w*|j?thread|this_thread|mutex|timed_mutex|recursive_mutex|shared_mutex|condition_variable\w*|future|promise|async|counting_semaphore|binary_semaphore|latch|barrier|chrono|random_device|mt19937\w*)\b/;
const PROCESS_HEADERS = /^(unistd\.h|ctime|sys\/(stat|prctl|wait)\.h)$/;
const EMSCRIPTEN_HEADERS = /^emscripten(\/.*|\.h)?$/;
const EMSCRIPTEN_NAMES = /\b(emscripten_\w+|__EMSCRIPTEN\w*|EMSCRIPTEN_\w+|EM_ASM\w*|EM_JS\w*)\b/;
// The engine would need these names to detect its platform.
const PLATFORM_NAMES = /\b(kIsModelled|kPlatformName|LATCHSCOPE_PLATFORM_\w+)\b/;
// `web/build` runs in Node while the page is built. No layer of the page may use it.
const WEB_BUILD_LAYER = 'build';

/** Returns every broken rule as {file, line, rule}. File names are relative to `root`. */
export function checkArchitecture(root) {
  return [...checkEngine(path.join(root, 'wasm-engine')), ...checkWeb(path.join(root, 'web'))]
    .map((violation) => ({ ...violation, file: path.relative(root, violation.file) }))
    .sort((a, b) => a.file.localeCompare(b.file) || a.line - b.line);
}

function checkEngine(engineFolder) {
  return filesBelow(engineFolder, /\.(cc|cpp|h|hpp)$/).flatMap((file) => {
    const layer = layerOf(file, engineFolder);
    if (engine.free.includes(layer)) return [];
    if (!engine.order.includes(layer)) return [{ file, line: 1, rule: unknownLayer(layer) }];
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
  if (machineName && !engine.machine.includes(layer)) rules.push(onlyIn(machineName, engine.machine));
  const platformName = PLATFORM_NAMES.exec(text)?.[0];
  if (platformName && engine.anyPlatform.includes(layer)) {
    rules.push(`${platformName}: ${layer}/ must not depend on the platform`);
  }
  const emscriptenName = EMSCRIPTEN_NAMES.exec(text)?.[0];
  if (emscriptenName && !engine.emscripten.includes(layer)) {
    rules.push(onlyIn(emscriptenName, engine.emscripten));
  }
  return rules;
}

function quotedIncludeRules(include, layer) {
  const usedLayer = include.split('/')[0];
  if (!include.includes('/') || ![...engine.order, ...engine.free].includes(usedLayer)) {
    return [`got "${include}"; allowed: "layer/file.h" with one of the layers ${engine.order.join(', ')}`];
  }
  const allowed = engine.order.slice(0, engine.order.indexOf(layer) + 1);
  return allowed.includes(usedLayer) ? [] : [mayNotUse(layer, usedLayer, allowed)];
}

function systemIncludeRules(include, layer) {
  if (engine.process.includes(layer) && PROCESS_HEADERS.test(include)) return [];
  if (MACHINE_HEADERS.test(include) && !engine.machine.includes(layer)) {
    return [onlyIn(`<${include}>`, engine.machine)];
  }
  if (EMSCRIPTEN_HEADERS.test(include) && !engine.emscripten.includes(layer)) {
    return [onlyIn(`<${include}>`, engine.emscripten)];
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
    if (!(layer in page.packages)) return [{ file, line: 1, rule: unknownLayer(layer) }];
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
  if (layer === page.apart && usedLayer === layer && feature !== usedFeature)
    return `the feature ${feature} may not use the feature ${usedFeature}; connect them through the session or the shell`;
  return null;
}

function webLayersFor(layer) {
  const { browser, order } = page;
  const upTo = (last) => order.slice(0, order.indexOf(last) + 1);
  if (layer === browser.layer) return [...upTo(browser.lastUsed), layer];
  return browser.users.includes(layer) ? [...upTo(layer), browser.layer] : upTo(layer);
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
  const allowed = page.packages[layer];
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

const unknownLayer = (layer) => `unknown layer "${layer}"; add it to tools/layers.json`;
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
