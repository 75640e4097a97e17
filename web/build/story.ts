// Turns a scenario's story.md into HTML. A link such as [latch](glossary:latch) becomes a button that opens the glossary there.
import { Marked, type Tokens } from 'marked';

import { all_terms, glossary_terms } from '../contract/glossary.ts';

const SCHEME = 'glossary:';

/** What is wrong with a story, a line for each fault: file, value, and what is allowed. */
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

/** How a story may write a word; an "S" or an "X" alone would be found everywhere. */
const spellings: Record<keyof typeof glossary_terms, RegExp> = {
  latch: /\blatch(es|ed)?\b/i,
  s_and_x: /\b(S and X|[SX]-latch\w*|(S|X) latch\w*)\b/,
  read_view: /\bread views?\b/i,
  commit_group: /\bcommit groups?\b/i,
  purge: /\bpurge[sd]?\b/i,
  spin: /\bspin(s|ning)?\b/i,
  convoy: /\bconvoys?\b/i,
};

const LINK = /\[([^\]]*)\]\(glossary:(\w+)\)/g;

/** Whether the word stands in the text before its link, or has none. Code is not read: it has names of its own. */
function isUsedBefore(text: string, term: keyof typeof glossary_terms, linked: ReadonlySet<string>): boolean {
  const prose = text.replace(/`[^`]*`/g, (code) => ' '.repeat(code.length));
  const link = [...prose.matchAll(LINK)].find(([, , id]) => id === term);
  const before = link === undefined ? prose : prose.slice(0, link.index);
  const is_used = spellings[term].test(before.replace(LINK, (_, words: string) => words));
  return is_used && (link !== undefined || !linked.has(SCHEME + term));
}
