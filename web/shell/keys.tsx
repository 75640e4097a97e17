import { keysInWords, type Shortcut } from './shortcuts';

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** Renders a shortcut as keys, held together or pressed in sequence. */
export function Keys({ shortcut }: { shortcut: Shortcut }) {
  return (
    <span className="keys">
      {keysInWords(shortcut, isMac).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
