import type { MouseEvent, ReactNode } from 'react';

import { all_terms, glossaryCommandId } from '../../contract/glossary';
import { IconButton } from '../../widgets/command-button';
import { LastSeenBadge } from '../../widgets/last-seen-badge';
import { useExplorer, usePerform } from '../../widgets/session-context';
import { htmlOfText } from './html-of-text';
import { SheetHandle, useSheet } from './sheet';

/** Shows the bug in one sentence, its picture and its story, on the left side. */
export default function StoryPanel({ picture }: { picture: ReactNode }) {
  const onTerm = useOpenedTerms();
  const { manifest, story_html, last_seen } = useExplorer((state) => state.scenario);
  const sheet = useSheet();
  if (manifest.bug === undefined) return null;
  const { bug, what_is_wrong, report, server_version, title } = manifest;
  return (
    <section className="panel lesson story" aria-label="The story" data-is-lowered={sheet.isLowered}>
      <header className="lesson-header" {...sheet.swipe}>
        <h2>{title}</h2>
        <SheetHandle sheet={sheet} of="story" />
        <IconButton command="story.close" sign="✕" label="Close story" />
      </header>
      <div className="lesson-body" tabIndex={0} role="region" aria-label="Story of the bug">
        {picture}
        <p>
          <strong>What is wrong in {server_version}:</strong> {what_is_wrong}
        </p>
        {last_seen !== null && <LastSeenBadge lastSeen={last_seen} isWhole />}
        {/* The build converts it to HTML from the project's own text. */}
        <div
          className="lesson-prose"
          onClick={onTerm}
          dangerouslySetInnerHTML={{ __html: htmlOfText(story_html) }}
        />
        <p className="muted">
          Reported by {report.reporter}, {report.submitted}:{' '}
          <a href={report.url} rel="noreferrer">
            bug #{bug}
          </a>
          .
        </p>
      </div>
    </section>
  );
}

/** The build has turned each word of the glossary into a button. */
function useOpenedTerms() {
  const perform = usePerform();
  return ({ target }: MouseEvent) => {
    const askedFor = (target as Element).closest<HTMLElement>('[data-term]')?.dataset.term;
    const term = all_terms.find((known) => known === askedFor);
    if (term !== undefined) perform(glossaryCommandId(term));
  };
}
