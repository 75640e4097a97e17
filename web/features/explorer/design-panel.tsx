import { useMemo } from 'react';

import { formatRatio } from '../../analysis/format';
import { presetOf } from '../../contract/design';
import type { Knob, Variant } from '../../contract/manifest';
import { designCommandId, knobCommandId, LATCH_OF_RUN } from '../../session/commands';
import { canBeChosen, kinds_in_words } from '../../contract/run-spec';
import { designRatios, ratioKey, type DesignRatios } from '../../session/design-ratios';
import { presetTitle } from '../../session/designs';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer, usePerform } from '../../widgets/session-context';
import { usePhases } from '../../widgets/use-phases';

/** Shows the designs as chips, with this run's measurements of each. */
export function DesignPanel() {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const phases = usePhases();
  const ratios = useMemo(() => designRatios(phases, manifest), [phases, manifest]);
  if (manifest.knobs.length === 0) return null;
  return (
    <Panel title="Lock design" className="design-panel">
      <Presets ratios={ratios} />
      {manifest.knobs.map((knob) => (
        <KnobChoice key={knob.id} knob={knob} ratios={ratios} />
      ))}
      <Explanations knobs={manifest.knobs} />
    </Panel>
  );
}

function Presets({ ratios }: { ratios: DesignRatios }) {
  const manifest = useExplorer((state) => state.scenario.manifest);
  const preset = useExplorer((state) => presetOf(state.scenario.manifest, state.draft.design));
  return (
    <div className="presets" role="group" aria-label="Presets">
      {Object.keys(manifest.designs).map((id) => (
        <CommandButton
          key={id}
          command={designCommandId(id)}
          className="button-preset"
          pressed={preset === id}
        >
          <span className="preset-title">{presetTitle(manifest, id)}</span>{' '}
          <Ratio value={ratios[id] ?? null} />
        </CommandButton>
      ))}
    </div>
  );
}

function KnobChoice({ knob, ratios }: { knob: Knob; ratios: DesignRatios }) {
  const chosen = useExplorer((state) => state.draft.design[knob.id]);
  const largest = Math.max(...Object.values(ratios));
  return (
    <fieldset className="knob">
      <legend>{knob.question}</legend>
      <div className="variants">
        {knob.variants.map((variant) => (
          <VariantChip
            key={variant.id}
            knob={knob}
            variant={variant}
            isChosen={variant.id === chosen}
            ratio={ratios[ratioKey(knob.id, variant.id)] ?? null}
            largest={largest}
          />
        ))}
      </div>
    </fieldset>
  );
}

interface VariantChipProps {
  knob: Knob;
  variant: Variant;
  isChosen: boolean;
  /** Throughput in this run relative to the original design; null if not measured. */
  ratio: number | null;
  /** The largest of all ratios. */
  largest: number;
}

function VariantChip({ knob, variant, isChosen, ratio, largest }: VariantChipProps) {
  const perform = usePerform();
  const latch = useExplorer(({ draft }) => draft.latch);
  const chip = (
    <label className="variant" title={variant.explanation}>
      <input
        type="radio"
        name={knob.id}
        value={variant.id}
        checked={isChosen}
        disabled={!canBeChosen(variant, latch)}
        onChange={() => perform(knobCommandId(knob.id, variant.id))}
      />
      <span className="variant-title">{variant.title}</span>
      <Ratio value={ratio} />
      {variant.needs === undefined && <span className="variant-origin">{variant.origin}</span>}
      {ratio !== null && (
        <span className="variant-bar" style={{ width: `${(100 * ratio) / largest}%` }} aria-hidden="true" />
      )}
    </label>
  );
  if (variant.needs === undefined) return chip;
  return (
    <div className="variant-of-reader">
      {chip}
      <CommandButton command={LATCH_OF_RUN}>
        {canBeChosen(variant, latch)
          ? 'Edit in the lab'
          : latch === null
            ? 'Write one in the lab'
            : `Write ${kinds_in_words[variant.needs]} in the lab`}
      </CommandButton>
    </div>
  );
}

function Ratio({ value }: { value: number | null }) {
  return (
    <span className="variant-ratio" title="Throughput in this run, relative to the original design">
      {value !== null && formatRatio(value)}
    </span>
  );
}

/** Describes the chosen variants. */
function Explanations({ knobs }: { knobs: Knob[] }) {
  const design = useExplorer((state) => state.draft.design);
  const chosen = knobs.flatMap(({ id, variants }) => variants.filter((variant) => variant.id === design[id]));
  return (
    <details className="variant-explanations">
      <summary>How it works</summary>
      {chosen.map(({ id, title, explanation }) => (
        <p key={id}>
          <strong>{title}:</strong> {explanation}
        </p>
      ))}
    </details>
  );
}
