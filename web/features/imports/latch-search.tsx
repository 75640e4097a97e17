// Finds a latch by what a reader knows of it, and leads to its bug or to its card.
import { useRef, useState } from 'react';

import { scenarioInWords } from '../../contract/scenario-names';
import { counted } from '../../analysis/format';
import { latchLink, stageLink } from '../../session/link';
import { CodeName } from '../../widgets/code-name';
import { useExplorer } from '../../widgets/session-context';
import type { FoundLatch } from './latches';
import './latch-search.css';

const SHOWN_MAX = 6;

export default function LatchSearch() {
  const [words, setWords] = useState('');
  const [search, setSearch] = useState<((words: string) => FoundLatch[]) | null>(null);
  const [failed, setFailed] = useState(false);
  const results = useRef<HTMLUListElement>(null);
  // The catalogue loads when the reader begins, so that a visit without a search does not load it.
  const load = () => {
    if (search !== null) return;
    import('./latches').then(
      ({ latchesFor }) => setSearch(() => latchesFor),
      () => setFailed(true),
    );
  };
  const found = search?.(words) ?? [];
  const isAsked = words.trim() !== '';
  return (
    <form
      role="search"
      className="latch-search"
      onSubmit={(event) => {
        event.preventDefault();
        results.current?.querySelector('a')?.click();
      }}
    >
      <label htmlFor="latch-search">Find your latch</label>
      <input
        id="latch-search"
        type="search"
        placeholder="LOCK_log, fil_system, trx_sys, AIO"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={words}
        onFocus={load}
        onChange={({ target }) => {
          load();
          setWords(target.value);
        }}
        onKeyDown={({ key }) => {
          if (key === 'Escape') setWords('');
        }}
      />
      {isAsked && (
        <div className="latch-results">
          <ul aria-label="Latches" ref={results}>
            {found.slice(0, SHOWN_MAX).map((latch) => (
              <Result key={latch.id} latch={latch} />
            ))}
          </ul>
          <p role="status">{statusOf({ found: found.length, isReady: search !== null, failed, words })}</p>
        </div>
      )}
    </form>
  );
}

interface Status {
  found: number;
  isReady: boolean;
  failed: boolean;
  words: string;
}

function statusOf({ found, isReady, failed, words }: Status): string {
  if (failed) return 'The catalogue could not be loaded. Reload the page.';
  if (!isReady) return 'Loading the catalogue…';
  if (found === 0) return `The catalogue has no latch for “${words.trim()}”.`;
  return found > SHOWN_MAX ? `${found} latches; these fit best` : counted(found, 'latch', 'latches');
}

function Result({ latch: { id, name, guards, bug } }: { latch: FoundLatch }) {
  const scenario = useExplorer(({ scenarios }) =>
    scenarios.find(({ manifest }) => manifest.id === bug?.scenario),
  );
  const shownName = (
    <code>
      <CodeName name={name} />
    </code>
  );
  return (
    <li>
      {scenario === undefined ? (
        <a href={latchLink(id)}>{shownName}, not modeled</a>
      ) : (
        <>
          <a href={stageLink(scenario.manifest.id)}>
            {shownName}, {bug?.role === 'cause' ? 'see' : 'on the path of'}{' '}
            {scenarioInWords(scenario.manifest)} ▸
          </a>{' '}
          <a href={latchLink(id)} aria-label={`Names of ${name} by version`}>
            names
          </a>
        </>
      )}
      <span className="latch-purpose">{guards}</span>
    </li>
  );
}
