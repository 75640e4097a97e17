// Asks how long the probe ran whose times a text has: the text does not say it.
import { useState } from 'react';

import { TextField } from '../../widgets/number-field';
import { useModel } from '../../widgets/session-context';

/** Longer than a probe is left running. */
const SECONDS_MAX = 1e6;

export function ProbedTime() {
  const waits = useModel('waits');
  const [text, setText] = useState(waits.probedS === null ? '' : String(waits.probedS));
  const seconds = secondsOf(text);
  const isWrong = text.trim() !== '' && seconds === null;
  return (
    <div className="probed-time">
      <TextField
        title="Seconds that the probe ran"
        hint="Gives the utilization of each latch"
        error={isWrong ? `${text}: a number of seconds up to 1,000,000` : undefined}
        value={text}
        onChange={(value) => {
          setText(value);
          void waits.setProbedS(secondsOf(value));
        }}
      />
    </div>
  );
}

function secondsOf(text: string): number | null {
  const seconds = /^\d+(?:\.\d+)?$/.test(text.trim()) ? Number(text) : 0;
  return seconds > 0 && seconds <= SECONDS_MAX ? seconds : null;
}
