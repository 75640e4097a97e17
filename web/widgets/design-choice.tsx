import { useId } from 'react';

import { namedDesigns } from '../session/designs';
import { isSameDesign, type Design } from '../contract/design';
import { canBeChosen } from '../contract/run-spec';
import { Options } from './choice';
import { useExplorer } from './session-context';

const OWN = 'own';

interface DesignChoiceProps {
  title: string;
  design: Design;
  /** Not offered, because it is already chosen elsewhere. */
  otherThan?: Design;
  onChange: (design: Design) => void;
}

/** Selects a preset, the original with one knob changed, or each knob separately. */
export function DesignChoice({ title, design, otherThan, onChange }: DesignChoiceProps) {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const latch = useExplorer((state) => state.draft.latch);
  const selectId = useId();
  const isOffered = (offered: Design) =>
    otherThan === undefined || !isSameDesign(manifest, offered, otherThan);
  const named = namedDesigns(manifest, latch).filter((known) => isOffered(known.design));
  const chosen = named.find((known) => isSameDesign(manifest, known.design, design))?.id ?? OWN;
  return (
    <div className="design-choice" role="group" aria-label={title}>
      <label htmlFor={selectId}>{title}</label>
      <select
        id={selectId}
        value={chosen}
        onChange={({ target }) => {
          const next = named.find(({ id }) => id === target.value);
          if (next !== undefined) onChange(next.design);
        }}
      >
        <optgroup label="Presets">
          <Options of={named.filter(({ isPreset }) => isPreset)} />
        </optgroup>
        {named.some(({ isPreset }) => !isPreset) && (
          <optgroup label="Original with one change">
            <Options of={named.filter(({ isPreset }) => !isPreset)} />
          </optgroup>
        )}
        {chosen === OWN && <option value={OWN}>custom</option>}
      </select>
      {manifest.knobs.length > 1 &&
        manifest.knobs.map((knob) => (
          <label key={knob.id} className="knob-choice">
            <span>{knob.title}</span>
            <select
              value={design[knob.id]}
              onChange={({ target }) => onChange({ ...design, [knob.id]: target.value })}
            >
              <Options
                of={knob.variants.filter(
                  (variant) =>
                    variant.id === design[knob.id] ||
                    (canBeChosen(variant, latch) && isOffered({ ...design, [knob.id]: variant.id })),
                )}
              />
            </select>
          </label>
        ))}
    </div>
  );
}
