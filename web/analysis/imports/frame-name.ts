// Shortens a stack frame, as debuggers and profilers print it, to the name of its function.
import { isVisible } from '../../contract/fault';
import { ImportRefused } from './reader';

export const UNKNOWN_FRAME = '??';
export const SIGNAL_FRAME = '<signal handler>';

/** Longer template arguments become an ellipsis. */
const TEMPLATE_MAX = 32;
/** Longer names end here. Their arguments are the long part. */
const NAME_MAX = 4096;
const ANONYMOUS = '(anonymous namespace)';
/** What compilers add to the name of a function that they split, copy or rename. */
const COMPILER_SUFFIXES = [
  '.isra.',
  '.part.',
  '.constprop.',
  '.cold',
  '.lto_priv.',
  '.llvm.',
  '@', // The version of a symbol, as in pthread_cond_wait@@GLIBC_2.3.2.
];
const ADDRESS = /^(?:0x[0-9a-f]{1,16}|(?=[a-f]*\d)[0-9a-f]{8,16})$/i;
const OFFSET = /\+0x[0-9a-f]{1,16}$/i;
/** perf and flame graphs mark frames that were inlined, compiled at run time or in the kernel. */
const MARK = /_\[[ijkw]\]$/;

const RETURNS_AUTO = /^decltype\(auto\) /;
const TEMPLATE_STARTS: ReadonlySet<string> = new Set('<{');
const TEMPLATE_ENDS: ReadonlySet<string> = new Set('>}');
const OPENS: ReadonlySet<string> = new Set('<{(');
const CLOSES: ReadonlySet<string> = new Set('>})');
const OPERATOR =
  /operator(?:\(\)|<=>|<<=|>>=|->\*|<<|>>|->|\+\+|--|&&|\|\||\[\]|[-+*/%^&|~!=<>,]=?| (?:new|delete)(?:\[\])?(?!\w)| [\w:]{1,80}[*&]{0,2}(?=\())/y;

/** REQUIRES: `text` names one frame, without its number and address. */
export function frameName(text: string, line: number): string {
  const raw = text.slice(0, NAME_MAX).trim();
  if (!isVisible(raw)) throw new ImportRefused(line, raw, 'names of functions without hidden characters');
  if (raw.startsWith('<signal handler')) return SIGNAL_FRAME;
  if (raw.startsWith('[') || raw.endsWith('::??')) return UNKNOWN_FRAME; // Only the module is known.
  const name = withoutSuffixes(baseName(raw.replace(MARK, '').replace(/^->/, '')));
  const isUnknown = name === '' || name === '-' || ADDRESS.test(name);
  return isUnknown ? UNKNOWN_FRAME : name;
}

/** Drops what follows the name (arguments, module, offset), and the return type before it. */
function baseName(raw: string): string {
  const module = raw.indexOf(' [');
  const text = (module > 0 ? raw.slice(0, module) : raw).replace(RETURNS_AUTO, '');
  let name = '';
  for (let at = 0; at < text.length;) {
    const character = text[at]!;
    const end = partEnd(text, at, name);
    if (character === '(' && end === at) return name;
    if (end === null) return name; // Cut off in the middle, or a fragment of a longer name.
    if (character === ' ')
      name = startsName(text, end) ? '' : name; // So far, a return type.
    else name += TEMPLATE_STARTS.has(character) ? shortened(text.slice(at, end)) : text.slice(at, end);
    at = end;
  }
  return name;
}

/**
 * Returns the end of the part of a name that begins at `at`: a character, an operator, or a pair of
 * brackets. Returns `at` where arguments begin, null if a bracket has no partner.
 */
function partEnd(text: string, at: number, before: string): number | null {
  const character = text[at]!;
  if (TEMPLATE_STARTS.has(character)) return bracketEnd(text, at);
  if (TEMPLATE_ENDS.has(character)) return null;
  if (character === '(') {
    if (text.startsWith(ANONYMOUS, at)) return at + ANONYMOUS.length;
    return before.endsWith('.') ? bracketEnd(text, at) : at; // Go: sync.(*Mutex).Lock
  }
  OPERATOR.lastIndex = at;
  const operator = /\w$/.test(before) ? null : OPERATOR.exec(text);
  return at + (operator?.[0].length ?? 1);
}

function bracketEnd(text: string, from: number): number | null {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]!;
    if (OPENS.has(character)) depth += 1;
    else if (CLOSES.has(character) && text[at - 1] !== '-') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return null;
}

const startsName = (text: string, at: number) => /[\w~$:*?]/.test(text[at] ?? '');

const shortened = (text: string) => (text.length <= TEMPLATE_MAX ? text : `${text[0]!}…${text.at(-1)!}`);

function withoutSuffixes(name: string): string {
  let end = name.length;
  for (const suffix of COMPILER_SUFFIXES) {
    const at = name.indexOf(suffix);
    if (at > 0 && at < end) end = at;
  }
  return name.slice(0, end).replace(OFFSET, '');
}
