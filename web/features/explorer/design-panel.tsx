import { useState } from 'react';

import { designCommandId, knobCommandId } from '../../session/commands';
import { presetOf } from '../../contract/design';
import type { Knob, Variant } from '../../contract/manifest';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer, useSession } from '../../widgets/session-context';

export function DesignPanel() {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const preset = useExplorer((state) => presetOf(state.scenario.manifest, state.draft.design));
  const presets = (
    <span className="presets" role="group" aria-label="Presets">
      {Object.keys(manifest.designs).map((name) => (
        <CommandButton
          key={name}
          command={designCommandId(name)}
          className="button-preset"
          pressed={preset === name}
        >
          {name.replaceAll('_', ' ')}
        </CommandButton>
      ))}
    </span>
  );
  return (
    <Panel title="Lock design" note={presets}>
      <Knobs knobs={manifest.knobs} />
    </Panel>
  );
}

/** All knobs, and what the chosen variant of one of them does: the one that was last turned or has the focus. */
function Knobs({ knobs }: { knobs: Knob[] }) {
  const design = useExplorer((state) => state.draft.design);
  const [explained_knob, explain] = useState(knobs[0]!.id);
  return (
    <>
      {knobs.map((knob) => (
        <fieldset
          key={knob.id}
          className="knob"
          onFocus={() => {
            explain(knob.id);
          }}
        >
          <legend>{knob.question}</legend>
          {knob.variants.map((variant) => (
            <VariantChoice
              key={variant.id}
              knob={knob}
              variant={variant}
              is_chosen={variant.id === design[knob.id]}
            />
          ))}
        </fieldset>
      ))}
      <div className="variant-explanations" aria-live="polite">
        {knobs.flatMap(({ id, variants }) =>
          variants.map((variant) => (
            <VariantExplanation
              key={`${id}.${variant.id}`}
              variant={variant}
              is_titled={knobs.length > 1}
              is_shown={id === explained_knob && variant.id === design[id]}
            />
          )),
        )}
      </div>
    </>
  );
}

interface VariantExplanationProps {
  variant: Variant;
  /** Says which variant it explains: where there are several knobs, it might be of any. */
  is_titled: boolean;
  is_shown: boolean;
}

/** Takes up its room also while another one is shown, so that nothing below moves. */
function VariantExplanation({ variant, is_titled, is_shown }: VariantExplanationProps) {
  return (
    <p className="variant-explanation" data-is-shown={is_shown}>
      {is_titled && <strong>{variant.title}: </strong>}
      {variant.explanation}
    </p>
  );
}

function VariantChoice({ knob, variant, is_chosen }: { knob: Knob; variant: Variant; is_chosen: boolean }) {
  const session = useSession();
  const onChange = () => {
    void session.commands.perform(knobCommandId(knob.id, variant.id));
  };
  return (
    <label className="variant">
      <input type="radio" name={knob.id} value={variant.id} checked={is_chosen} onChange={onChange} />
      <span className="variant-title">{variant.title}</span>
      <span className="variant-origin">{variant.origin}</span>
    </label>
  );
}
