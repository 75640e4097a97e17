import { useEffect, useRef } from 'react';

import { all_terms, glossary_terms } from '../../contract/glossary';
import { useExplorer } from '../../widgets/session-context';
import { definitions } from './definitions';
import './glossary.css';

/** Lists all terms; the requested term has the focus. */
export default function GlossaryPanel() {
  const askedFor = useExplorer((state) => state.glossaryTerm);
  const term = useRef<HTMLElement>(null);
  useEffect(() => {
    term.current?.focus();
    term.current?.scrollIntoView({ block: 'nearest' });
  }, [askedFor]);
  return (
    <dl className="glossary">
      {all_terms.map((id) => (
        <div key={id} data-is-asked-for={id === askedFor}>
          <dt ref={id === askedFor ? term : undefined} tabIndex={-1}>
            {glossary_terms[id]}
          </dt>
          <dd>{definitions[id]}</dd>
        </div>
      ))}
    </dl>
  );
}
