import type { Field } from '../contract/draft';
import type { Fault } from '../contract/fault';
import { DURATION_S } from '../contract/run-spec';
import { fieldOrNull } from '../session/draft';
import { NumberField } from './number-field';
import { useExplorer, useSession } from './session-context';

interface MeasuredPartProps {
  /** Duration of a run if the reader sets none; null while the next run has faults. */
  usualDurationS: number | null;
  /** Name of the field in faults. */
  fromField: string;
  fromS: Field | null;
  fromPlaceholder: string;
  fromExplanation: string;
  faults: readonly Fault[];
  onFrom: (fromS: Field | null) => void;
}

/** Sets how long each run of a series takes, and from when it counts. */
export function MeasuredPartFields(props: MeasuredPartProps) {
  const { usualDurationS, fromField, fromS, fromPlaceholder, fromExplanation, faults, onFrom } = props;
  const session = useSession();
  const durationS = useExplorer((state) => state.draft.duration_s);
  return (
    <>
      <NumberField
        field="duration_s"
        title="Duration"
        unit="s"
        range={{ min: 0, max: DURATION_S.max }}
        value={durationS ?? ''}
        placeholder={usualDurationS === null ? '' : String(usualDurationS)}
        explanation="Leave empty for the time this bug needs to show."
        faults={faults}
        onChange={(value) => session.editDraft({ duration_s: fieldOrNull(value) })}
      />
      <NumberField
        field={fromField}
        title="Measure from"
        unit="s"
        range={{ min: 0, max: usualDurationS ?? DURATION_S.max }}
        value={fromS ?? ''}
        placeholder={fromPlaceholder}
        explanation={fromExplanation}
        faults={faults}
        onChange={(value) => onFrom(fieldOrNull(value))}
      />
    </>
  );
}
