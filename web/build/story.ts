// Converts a scenario's story.md to HTML. A link such as [latch](glossary:latch) becomes a button
// that opens the glossary there.
import { Marked, type Tokens } from 'marked';

import { all_terms, glossary_terms } from '../contract/glossary.ts';

const SCHEME = 'glossary:';

/** Faults of a story, one per line: file, value, and the allowed values. */
export class StoryError extends Error {}

/** @param file named in errors */
export function storyHtml(text: string, file: string): string {
  const marked = new Marked();
  const faults: string[] = [];
  const linked = new Set<string>();
  const refuse = (value: string, allowed: string) => faults.push(`${file}: "${value}"; allowed: ${allowed}`);
  marked.use({
    renderer: {
      link({ href, text: words }: Tokens.Link) {
        if (!href.startsWith(SCHEME)) return false;
        const term = all_terms.find((known) => `${SCHEME}${known}` === href);
        if (term === undefined) refuse(href, all_terms.map((known) => SCHEME + known).join(', '));
        if (linked.has(href)) refuse(href, 'once in a story, at its first use');
        linked.add(href);
        return `<button type="button" class="term" data-term="${term ?? ''}">${words}</button>`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  for (const term of all_terms.filter((known) => isUsedBefore(text, known, linked))) {
    refuse(glossary_terms[term], `at its first use a link [${glossary_terms[term]}](${SCHEME}${term})`);
  }
  if (faults.length > 0) throw new StoryError(faults.join('\n'));
  return html;
}

/**
 * Spellings of each term in a story. Null: the word also has an everyday sense, so the text cannot be
 * searched for it.
 */
const spellings: Record<keyof typeof glossary_terms, RegExp | null> = {
  action: null,
  aio_slot: /\bAIO slots?\b/i,
  background_worker: /\bbackground workers?\b/i,
  baseline_run: /\bbaseline runs?\b/i,
  binary_log: /\bbinary logs?\b/i,
  branch: null,
  buffer_pool: /\bbuffer pools?\b/i,
  cache_line: /\bcache lines?\b/i,
  causal_profile: /\bcausal profiles?\b/i,
  checkpoint: null,
  client: null,
  commit_group: /\bcommit groups?\b/i,
  convoy: /\bconvoys?\b/i,
  critical_section: /\bcritical sections?\b/i,
  design: null,
  futex: /\bfutex(es)?\b/i,
  gtid: /\bGTIDs?\b/,
  hand_off: /\bhand-offs?\b/i,
  holder: null,
  interval: null,
  knob: null,
  latch: /\blatch(es|ed)?\b/i,
  lock_wait: /\block waits?\b/i,
  p99: /\bp99\b/i,
  phase: null,
  purge: /\bpurge[sd]?\b/i,
  read_view: /\bread views?\b/i,
  run_spec: /\brun specs?\b/i,
  // An "S" or an "X" alone would be found everywhere.
  s_and_x: /\b(S and X|[SX]-latch\w*|(S|X) latch\w*)\b/,
  seed: null,
  shard: /\bshards?\b/i,
  spin: /\bspin(s|ning)?\b/i,
  stall: null,
  tablespace: /\btablespaces?\b/i,
  throughput: /\bthroughput\b/i,
  undo_record: /\bundo records?\b/i,
  universal_scalability_law: /\bUniversal Scalability Law\b/i,
  variant: null,
  virtual_server: /\bvirtual servers?\b/i,
  waiter: null,
  what_if: /\bwhat-ifs?\b/i,
  workload_file: /\bworkload files?\b/i,
  xa_transaction: /\bXA transactions?\b/,
};

const linkPattern = /\[([^\]]*)\]\(glossary:(\w+)\)/g;

/**
 * Reports whether the term occurs before its link, or without one. Skips code, which has names of
 * its own.
 */
function isUsedBefore(text: string, term: keyof typeof glossary_terms, linked: ReadonlySet<string>): boolean {
  const prose = text.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length));
  const link = [...prose.matchAll(linkPattern)].find(([, , id]) => id === term);
  const before = link === undefined ? prose : prose.slice(0, link.index);
  const isUsed = spellings[term]?.test(before.replace(linkPattern, (_, words: string) => words)) === true;
  return isUsed && (link !== undefined || !linked.has(SCHEME + term));
}
