// Commit messages: `area: imperative summary`, a blank line, then why. CONTRIBUTING.md explains the form.
const AREAS = [
  // The engine
  'engine',
  'platform',
  'telemetry',
  'latch',
  'lab',
  'server',
  'workload',
  'cli',
  'contract',
  // The page
  'page',
  'charts',
  'session',
  'compare',
  'explain',
  'explorer',
  'files',
  'forks',
  'front',
  'glossary',
  'imports',
  'last-run',
  'lessons',
  'link',
  'locks',
  'offline',
  'pictures',
  'presenter',
  'rewind',
  'stage',
  'web',
  'what-if',
  'widgets',
  // Everything else
  'attack',
  'bench',
  'build',
  'ci',
  'deps',
  'docs',
  'e2e',
  'evidence',
  'release',
  'scenarios',
  'setup',
  'tests',
  'tools',
];

const NEVER = [2, 'never'];
const ALWAYS = [2, 'always'];

export default {
  extends: ['@commitlint/config-conventional'],
  parserPreset: {
    parserOpts: { headerPattern: /^([\w-]+): (.+)$/, headerCorrespondence: ['type', 'subject'] },
  },
  rules: {
    'type-enum': [...ALWAYS, AREAS],
    'scope-empty': ALWAYS,
    'header-max-length': [...ALWAYS, 72],
    'subject-case': [0],
    'subject-full-stop': [...NEVER, '.'],
    'body-empty': NEVER,
    'body-leading-blank': ALWAYS,
    'body-max-line-length': [0],
  },
};
