import type { Field } from '../contract/draft';
import type { Fault } from '../contract/fault';
import { DURATION_S } from '../contract/run-spec';
import { fieldOrNull } from '../session/draft';
import { NumberField } from './number-field';
import { useExplorer, useSession } from './session-context';

interface MeasuredPartProps {
  /** Duration of a run if the reader sets none; null while the next run has faults. */
  usual_duration_s: number | null;
  /** Name of the field in faults. */
  from_field: string;
  from_s: Field | null;
  from_placeholder: string;
  from_explanation: string;
  faults: readonly Fault[];
  onFrom: (from_s: Field | null) => void;
}

/** Sets how long each run of a series takes, and from when it counts. */
export function MeasuredPartFields(props: MeasuredPartProps) {
  const { usual_duration_s, from_field, from_s, from_placeholder, from_explanation, faults, onFrom } = props;
  const session = useSession();
  const duration_s = useExplorer((state) => state.draft.duration_s);
  return (
    <>
      <NumberField
        field="duration_s"
        title="Duration"
        unit="s"
        range={{ min: 0, max: DURATION_S.max }}
        value={duration_s ?? ''}
        placeholder={usual_duration_s === null ? '' : String(usual_duration_s)}
        explanation="Leave empty for the time this bug needs to show."
        faults={faults}
        onChange={(value) => {
          session.editDraft({ duration_s: fieldOrNull(value) });
        }}
      />
      <NumberField
        field={from_field}
        title="Measure from"
        unit="s"
        range={{ min: 0, max: usual_duration_s ?? DURATION_S.max }}
        value={from_s ?? ''}
        placeholder={from_placeholder}
        explanation={from_explanation}
        faults={faults}
        onChange={(value) => {
          onFrom(fieldOrNull(value));
        }}
      />
    </>
  );
}
