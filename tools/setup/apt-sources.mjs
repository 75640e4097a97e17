/**
 * Parses the package sources that the machine's administrator configured. A source is a record of
 * deb822 fields. Each field has a lower-case name and a string value: { types, uris, suites,
 * components, 'signed-by', ... }.
 */

const ONE_LINE = /^[ \t]*(deb)[ \t]+(?:\[([^\]]*)\][ \t]+)?(\S+)[ \t]+(\S+)([^#\n]*)/gm;
const FIELD = /^([A-Za-z0-9-]+):[ \t]*(.*(?:\n[ \t].*)*)/gm;
const SUITE_ALIASES = ['oldstable', 'stable', 'testing', 'unstable', 'sid'];
/** Options that would accept an unsigned or badly signed source. */
const FIELDS_AGAINST_SIGNATURES = ['trusted', 'allow-insecure', 'allow-weak', 'allow-downgrade-to-insecure'];
const ONE_LINE_OPTION_FIELDS = { arch: 'architectures', lang: 'languages', target: 'targets' };

/** Parses a .list file. Omits sources of source code. */
export function parseOneLineSources(text) {
  return [...text.matchAll(ONE_LINE)].map(([, types, options = '', uris, suites, components]) => {
    const fields = [...options.matchAll(/([^\s=]+)=(\S*)/g)].map(([, name, value]) => [
      ONE_LINE_OPTION_FIELDS[name] ?? name.toLowerCase(),
      value.replaceAll(',', ' '),
    ]);
    return { types, uris, suites, components: components.trim(), ...Object.fromEntries(fields) };
  });
}

/** Parses a .sources file (deb822). */
export function parseDeb822Sources(text) {
  const stanzas = text.replace(/^#.*\n?/gm, '').split(/\n\s*\n/);
  const fieldsOf = (stanza) =>
    [...stanza.matchAll(FIELD)].map(([, name, value]) => [name.toLowerCase(), value]);
  return stanzas.map((stanza) => Object.fromEntries(fieldsOf(stanza))).filter(({ types }) => types);
}

/** Formats the content of a .sources file. */
export function formatDeb822Sources(sources) {
  const fields = (source) => Object.entries(source).map(([name, value]) => `${name}: ${value}\n`);
  return sources.map((source) => fields(source).join('')).join('\n');
}

/**
 * Selects the sources of a Debian release. For the machine's own release these include updates and
 * security; another release comes from the same archive.
 * @param {Record<string, string>[]} sources all configured sources
 * @param {string} codename of the machine's release, such as 'bookworm'
 * @param {string} [wanted] the release
 * @returns {Record<string, string>[]} signed sources of binary packages only
 */
export function sourcesOfRelease(sources, codename, wanted = codename) {
  const isMain = (suite) => [codename, ...SUITE_ALIASES].includes(suite);
  if (wanted === codename)
    return keepSuites(sources, (suite) => isMain(suite.replace(/(-updates|-security|\/updates)$/, '')));
  const [archive] = keepSuites(sources, isMain);
  return archive ? [{ ...archive, suites: wanted, components: 'main' }] : [];
}

function keepSuites(sources, belongs) {
  return sources.flatMap((source) => {
    const { types, enabled = 'yes', components = '', suites = '' } = source;
    const kept = words(suites).filter(belongs).join(' ');
    const isUsable = words(types).includes('deb') && enabled.trim().toLowerCase() !== 'no';
    return isUsable && words(components).includes('main') && kept
      ? [{ ...onlySigned(source), types: 'deb', suites: kept }]
      : [];
  });
}

const onlySigned = (source) =>
  Object.fromEntries(Object.entries(source).filter(([field]) => !FIELDS_AGAINST_SIGNATURES.includes(field)));

const words = (text) => text.split(/\s+/).filter(Boolean);
