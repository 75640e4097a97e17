import { keysInWords, type Shortcut } from './shortcuts';

const is_mac = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** A shortcut as keys: held down together, or one after the other. */
export function Keys({ shortcut }: { shortcut: Shortcut }) {
  return (
    <span className="keys">
      {keysInWords(shortcut, is_mac).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}
