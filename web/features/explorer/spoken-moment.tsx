import { useEffect, useState } from 'react';

import { chartPicture } from '../../session/chart-picture';
import type { Session } from '../../session/session';
import { momentInWords } from './chart-readings';
import { useSession } from '../../widgets/session-context';

/** A held key moves the crosshair faster than anyone can listen. */
const SAY_INTERVAL_MS = 400;

/** Announces the values of all charts at the moment chosen by keyboard to screen readers. */
export function SpokenMoment() {
  const session = useSession();
  const [text, setText] = useState('');
  useEffect(() => sayMoments(session, setText), [session]);
  return (
    <p className="visually-hidden" role="status" aria-label="Values at the selected time">
      {text}
    </p>
  );
}

/** Returns a function that stops it. */
function sayMoments(session: Session, say: (text: string) => void): () => void {
  let frame = 0;
  let saidAtMs = Number.NEGATIVE_INFINITY;
  const sayWhenDue = (nowMs: number) => {
    if (nowMs - saidAtMs < SAY_INTERVAL_MS) {
      frame = requestAnimationFrame(sayWhenDue);
      return;
    }
    frame = 0;
    saidAtMs = nowMs;
    const { tS } = session.pointing.getState();
    const words = tS === null ? null : momentInWords(chartPicture(session), tS, session.store.getState());
    say(words ?? '');
  };
  const unsubscribe = session.pointing.subscribe((pointing, before) => {
    if (pointing.by !== 'keyboard' || pointing.tS === before.tS || frame !== 0) return;
    frame = requestAnimationFrame(sayWhenDue);
  });
  return () => {
    unsubscribe();
    cancelAnimationFrame(frame);
  };
}
