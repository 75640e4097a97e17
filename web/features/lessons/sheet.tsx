// On a phone the lesson and the story are sheets at the lower edge, which can be lowered and raised.
import { useRef, useState, type PointerEvent } from 'react';

/** A shorter movement is a tap. */
const SWIPE_PX_MIN = 24;

export interface Sheet {
  isLowered: boolean;
  lower: (isLowered: boolean) => void;
  /** Handlers of the part that can be swiped. */
  swipe: Record<'onPointerDown' | 'onPointerUp', (event: PointerEvent) => void>;
}

/** Returns the state of a sheet. A new sheet is raised. */
export function useSheet(): Sheet {
  const [isLowered, lower] = useState(false);
  const fromY = useRef(0);
  return {
    isLowered,
    lower,
    swipe: {
      onPointerDown: ({ clientY, target, currentTarget, pointerId }) => {
        fromY.current = clientY;
        // The swipe may end outside. A captured pointer does not press buttons.
        if ((target as Element).closest('button') === null) currentTarget.setPointerCapture(pointerId);
      },
      onPointerUp: ({ clientY }) => {
        const byPx = clientY - fromY.current;
        if (Math.abs(byPx) >= SWIPE_PX_MIN) lower(byPx > 0);
      },
    },
  };
}

/** Lowers and raises the sheet by button. The style sheet shows it on a phone only. */
export function SheetHandle({ sheet: { isLowered, lower }, of }: { sheet: Sheet; of: 'lesson' | 'story' }) {
  const label = `${isLowered ? 'Raise' : 'Lower'} ${of}`;
  return (
    <button
      type="button"
      className="button button-icon sheet-handle"
      aria-label={label}
      title={label}
      onClick={() => lower(!isLowered)}
    >
      <span aria-hidden="true">{isLowered ? '▴' : '▾'}</span>
    </button>
  );
}
