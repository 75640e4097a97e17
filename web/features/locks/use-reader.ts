import { useEffect, useState } from 'react';

import { useSession } from '../../widgets/session-context';
import { useLocks } from './locks-context';
import { readerOf, type MomentReader } from './moment-reader';

export const useReader = (): MomentReader => readerOf(useLocks(), useSession());

/** The view renders again, at most once in a frame, when the moment or what is known of it changes. */
export function useMomentOf(reader: MomentReader): void {
  const [, setTimes] = useState(0);
  useEffect(
    () =>
      reader.subscribe(() => {
        setTimes((times) => times + 1);
      }),
    [reader],
  );
}
