import { useSyncExternalStore } from 'react';

/** A narrow window, or a low one, such as that of a phone held sideways. The style sheets match it. */
const phone = () => matchMedia('(max-width: 759px), (max-height: 480px)');

function subscribe(onChange: () => void): () => void {
  const query = phone();
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

/** Returns whether the window is as small as that of a phone. */
export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => phone().matches);
