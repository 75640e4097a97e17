import { CommandButton } from '../../widgets/command-button';
import { LastSeenBadge } from '../../widgets/last-seen-badge';
import { useExplorer } from '../../widgets/session-context';

/** The bug in one sentence, and the story for those who want it. */
export function Brief() {
  const { manifest, story_html, lesson, last_seen } = useExplorer((state) => state.scenario);
  const { what_is_wrong, report, server_version } = manifest;
  return (
    <section className="brief" aria-label="What is wrong">
      <p>
        <strong>What is wrong in {server_version}:</strong> {what_is_wrong}
      </p>
      {last_seen !== null && <LastSeenBadge last_seen={last_seen} is_whole />}
      {lesson !== null && <CommandButton command="lesson.open" className="button-preset" />}
      <details className="story">
        <summary>The story</summary>
        {/* Written by us and turned into HTML when the page is built. */}
        <div dangerouslySetInnerHTML={{ __html: story_html }} />
        <p className="muted">
          Reported by {report.reporter}, {report.submitted}.
        </p>
      </details>
    </section>
  );
}
