import type { NotedEvent } from '../../contract/going-back';

const verbs: Record<NonNullable<NotedEvent['access']>, string> = {
  load: 'reads',
  poll: 'polls',
  store: 'stores to',
  read_modify_write: 'changes',
  failed_compare_exchange: 'fails to change',
};

/** Returns words such as `client 3 changes lock_word of buf_pool->mutex, in buf_page_get_gen`. */
export function eventInWords(event: NotedEvent): string {
  const who = event.thread === '' ? 'an unknown thread' : event.thread;
  const where = event.stack?.at(-1);
  return `${who} ${whatHappens(event)}${where === undefined ? '' : `, in ${where}`}`;
}

function whatHappens({ kind, latch, access, word }: NotedEvent): string {
  const what = latch === undefined ? 'a word' : word === undefined ? latch : `${word} of ${latch}`;
  if (access !== undefined) return `${verbs[access]} ${what}`;
  switch (kind) {
    case 'access':
      return `accesses ${what}`;
    case 'polls':
      return `spins on ${what}`;
    case 'store':
      return latch === undefined ? 'has a store take effect' : `has a store to ${what} take effect`;
    case 'wakes':
      return 'is woken';
    case 'timer':
      return 'wakes by its timer';
    default:
      return 'ends a unit of work';
  }
}
