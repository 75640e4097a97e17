import { html } from 'virtual:latch-help';

/** How the lab's language is written. */
export default function LabHelp() {
  return (
    <details className="panel lab-help">
      <summary>Latch language reference</summary>
      <div dangerouslySetInnerHTML={{ __html: html }} />
    </details>
  );
}
