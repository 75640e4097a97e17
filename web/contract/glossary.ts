// Words that every story uses: what links to the glossary name. The texts are with the glossary itself (features/glossary/).
export const glossary_terms = {
  latch: 'latch',
  s_and_x: 'S and X',
  read_view: 'read view',
  commit_group: 'commit group',
  purge: 'purge',
  spin: 'spin',
  convoy: 'convoy',
} as const;
export type GlossaryTerm = keyof typeof glossary_terms;

export const all_terms = Object.keys(glossary_terms) as GlossaryTerm[];
export const glossaryCommandId = (term: GlossaryTerm) => `glossary.${term}`;
