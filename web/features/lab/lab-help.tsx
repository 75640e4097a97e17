import { html } from 'virtual:latch-help';

/** Shows the syntax of the lab's language. */
export default function LabHelp() {
  return (
    <details className="panel lab-help">
      <summary>Latch language reference</summary>
      <div dangerouslySetInnerHTML={{ __html: html }} />
    </details>
  );
}
