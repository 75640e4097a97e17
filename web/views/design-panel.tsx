import { designCommandId, findCommand, knobCommandId, perform } from '../state/commands';
import { presetOf } from '../state/draft';
import type { Knob, Variant } from '../state/manifest';
import { CommandButton } from './command-button';
import { Panel } from './panel';
import { useExplorer, useSession } from './session-context';

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
          {name}
        </CommandButton>
      ))}
    </span>
  );
  return (
    <Panel title="Lock design" note={presets}>
      {manifest.knobs.map((knob) => (
        <KnobSwitch key={knob.id} knob={knob} />
      ))}
    </Panel>
  );
}

function KnobSwitch({ knob }: { knob: Knob }) {
  const chosen = useExplorer((state) => state.draft.design[knob.id]);
  const chosen_variant = knob.variants.find(({ id }) => id === chosen);
  return (
    <fieldset className="knob">
      <legend>{knob.question}</legend>
      {knob.variants.map((variant) => (
        <VariantChoice key={variant.id} knob={knob} variant={variant} is_chosen={variant.id === chosen} />
      ))}
      <p className="variant-explanation" aria-live="polite">
        {chosen_variant?.explanation}
      </p>
    </fieldset>
  );
}

function VariantChoice({ knob, variant, is_chosen }: { knob: Knob; variant: Variant; is_chosen: boolean }) {
  const session = useSession();
  const onChange = () => {
    const command = findCommand(session.store.getState(), knobCommandId(knob.id, variant.id));
    void perform(command, session);
  };
  return (
    <label className="variant">
      <input type="radio" name={knob.id} value={variant.id} checked={is_chosen} onChange={onChange} />
      <span className="variant-title">{variant.title}</span>
      <span className="variant-origin">{variant.origin}</span>
    </label>
  );
}
