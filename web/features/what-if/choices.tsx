import type { HandOver } from '../../contract/draft';
import { Choice, Options } from '../../widgets/choice';
import { useExplorer, useInFrame } from '../../widgets/session-context';
import { costChoices, handOverTitles, latchChoices } from './what-if';

/** Selects a latch; the most expensive ones of the shown run come first. */
export function LatchChoice({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  const rows = useInFrame(({ live }) => live?.latch_rows);
  const manifest = useExplorer((state) => state.scenario.manifest);
  const { costliest, others } = latchChoices(manifest, rows ?? []);
  return (
    <Choice title="Latch" value={name} onChange={onChange}>
      <option value="">None</option>
      {costliest.length > 0 && <Latches label="Most expensive in this run" names={costliest} />}
      <Latches label={costliest.length > 0 ? 'Others' : 'All'} names={others} />
    </Choice>
  );
}

const Latches = ({ label, names }: { label: string; names: readonly string[] }) => (
  <optgroup label={label}>
    <Options of={names.map((name) => ({ id: name, title: name }))} />
  </optgroup>
);

interface HandOverChoiceProps {
  value: HandOver;
  onChange: (value: HandOver) => void;
}

export const HandOverChoice = ({ value, onChange }: HandOverChoiceProps) => (
  <Choice title="Hand-off" value={value} onChange={(handOver) => onChange(handOver as HandOver)}>
    <Options of={Object.entries(handOverTitles).map(([id, title]) => ({ id, title }))} />
  </Choice>
);

/** Selects a cost of the server. */
export const CostChoice = ({ id, onChange }: { id: string; onChange: (id: string) => void }) => (
  <Choice title="Server cost" value={id} onChange={onChange}>
    <option value="">None</option>
    <Options of={costChoices} />
  </Choice>
);
