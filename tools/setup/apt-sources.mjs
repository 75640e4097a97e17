/**
 * The machine's own package sources, read from what its administrator configured. A source is a record of
 * deb822 fields with lower-case names, each a string: { types, uris, suites, components, 'signed-by', ... }.
 */

const ONE_LINE = /^(deb|deb-src)\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s*(.*)$/;
const SUITE_ALIASES = ['oldstable', 'stable', 'testing', 'unstable', 'sid'];
/** Would let a source pass that is not signed, or not well. */
const FIELDS_AGAINST_SIGNATURES = ['trusted', 'allow-insecure', 'allow-weak', 'allow-downgrade-to-insecure'];
const ONE_LINE_OPTION_FIELDS = { arch: 'architectures', lang: 'languages', target: 'targets' };

/**
 * @param {string} text the content of a .list file
 * @returns {Record<string, string>[]}
 */
export function parseOneLineSources(text) {
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim())
    .flatMap((line) => {
      const match = ONE_LINE.exec(line);
      if (!match) return [];
      const [, types, options = '', uris, suites, components] = match;
      return [{ types, uris, suites, components, ...parseOptions(options) }];
    });
}

function parseOptions(options) {
  const pairs = options
    .trim()
    .split(/\s+/)
    .filter(Boolean)
    .map((option) => {
      const [name, value = ''] = option.split(/=(.*)/);
      return [ONE_LINE_OPTION_FIELDS[name] ?? name.toLowerCase(), value.replaceAll(',', ' ')];
    });
  return Object.fromEntries(pairs);
}

/**
 * @param {string} text the content of a .sources file (deb822)
 * @returns {Record<string, string>[]}
 */
export function parseDeb822Sources(text) {
  const withoutComments = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n');
  return withoutComments
    .split(/\n\s*\n/)
    .map(parseStanza)
    .filter((source) => source.types);
}

function parseStanza(stanza) {
  const source = {};
  let field = null;
  for (const line of stanza.split('\n')) {
    const start = /^([A-Za-z0-9-]+):\s*(.*)$/.exec(line);
    if (start) {
      field = start[1].toLowerCase();
      source[field] = start[2].trim();
    } else if (field && line.trim()) {
      source[field] += `\n${line.trimEnd()}`;
    }
  }
  return source;
}

/**
 * @param {Record<string, string>[]} sources
 * @returns {string} the content of a .sources file
 */
export function formatDeb822Sources(sources) {
  const stanza = (source) =>
    Object.entries(source)
      .map(([field, value]) => `${field}: ${value}\n`)
      .join('');
  return sources.map(stanza).join('\n');
}

/**
 * The sources that make up the machine's own Debian release: its main suite, updates and security.
 * @param {Record<string, string>[]} sources all that are configured
 * @param {string} codename such as 'bookworm'
 * @returns {Record<string, string>[]} binary packages only
 */
export function sourcesOfRelease(sources, codename) {
  return keepSuites(sources, (suite) => {
    const [, name] = /^(.*?)(?:-updates|-security|\/updates)?$/.exec(suite);
    return isMainSuite(name, codename);
  });
}

/**
 * The same archive with another release: for packages newer than the machine's own.
 * @param {Record<string, string>[]} sources all that are configured
 * @param {string} codename of the machine's release
 * @param {string} suite the release wanted
 * @returns {Record<string, string>[]} at most one
 */
export function sourcesOfOtherRelease(sources, codename, suite) {
  const [archive] = keepSuites(sources, (name) => isMainSuite(name, codename));
  return archive ? [{ ...archive, suites: suite, components: 'main' }] : [];
}

function isMainSuite(name, codename) {
  return name === codename || SUITE_ALIASES.includes(name);
}

function keepSuites(sources, belongs) {
  return sources.flatMap((source) => {
    const usable =
      words(source.types).includes('deb') &&
      (source.enabled ?? 'yes').toLowerCase() !== 'no' &&
      words(source.components).includes('main');
    const suites = words(source.suites).filter(belongs).join(' ');
    return usable && suites ? [{ ...onlySigned(source), types: 'deb', suites }] : [];
  });
}

function onlySigned(source) {
  return Object.fromEntries(
    Object.entries(source).filter(([field]) => !FIELDS_AGAINST_SIGNATURES.includes(field)),
  );
}

function words(text = '') {
  return text.split(/\s+/).filter(Boolean);
}
