import { engine_limits } from '../../contract/engine-limits';
import type { WhatIfDraft } from '../../contract/draft';
import { whatIfInWords } from '../../session/what-if-words';
import { CommandButton } from '../../widgets/command-button';
import { NumberField, OtherFaults } from '../../widgets/number-field';
import { Panel } from '../../widgets/panel';
import { useExplorer, useSession } from '../../widgets/session-context';
import { howMuch, shownOf, whatIfOf, type ShownWhatIf } from './what-if';
import { CostChoice, HandOverChoice, LatchChoice } from './choices';
import './what-if.css';

const percents = { min: 0, max: engine_limits.what_if_percent_max };

/** Edits the next run's what-if for one latch and one cost of the server. */
export function WhatIfPanel() {
  const whatIf = useExplorer(({ draft }) => draft.what_if);
  const errors = useExplorer(({ draftErrors }) => draftErrors);
  const shown = shownOf(whatIf);
  return (
    <Panel title="What if" note="next run">
      {shown === null ? (
        <p>From the link: {howMuch(whatIf!)}, with more entries than this form shows.</p>
      ) : (
        <WhatIfFields shown={shown} />
      )}
      <p className="what-if-next" role="status" aria-label="What-if of the next run">
        {nextRunInWords(whatIf)}
      </p>
      <OtherFaults
        faults={errors.filter(
          ({ field }) => field.startsWith('what_if') && !(shown !== null && isOfAField(field)),
        )}
      />
      <div className="presets">
        {whatIf !== null && (
          <>
            <CommandButton command="what_if.suppose" className="button-preset">
              Apply from here
            </CommandButton>
            <CommandButton command="what_if.clear" className="button-preset">
              Reset
            </CommandButton>
          </>
        )}
        <CommandButton command="what_if.curve" className="button-preset">
          Curve
        </CommandButton>
        <CommandButton command="what_if.profile" className="button-preset">
          Causal profile
        </CommandButton>
      </div>
    </Panel>
  );
}

function nextRunInWords(whatIf: WhatIfDraft | null): string {
  const words = whatIfInWords(whatIf);
  return words === null ? 'Next run: no what-if.' : `Next run: ${words}.`;
}

function WhatIfFields({ shown }: { shown: ShownWhatIf }) {
  const session = useSession();
  const edit = (change: Partial<ShownWhatIf>) => {
    session.editDraft({ what_if: whatIfOf({ ...shown, ...change }) });
  };
  return (
    <div className="what-if-fields">
      <LatchFields latch={shown.latch} edit={edit} />
      <CostFields cost={shown.cost} edit={edit} />
      {(shown.latch ?? shown.cost) !== null && <FromField fromS={shown.fromS} edit={edit} />}
    </div>
  );
}

interface EditProps {
  edit: (change: Partial<ShownWhatIf>) => void;
}

function LatchFields({ latch, edit }: EditProps & Pick<ShownWhatIf, 'latch'>) {
  return (
    <>
      <LatchChoice
        name={latch?.name ?? ''}
        onChange={(name) => {
          const rest = latch ?? { sectionPercent: 100, handOver: 'as_it_is' };
          edit({ latch: name === '' ? null : { ...rest, name } });
        }}
      />
      {latch !== null && (
        <>
          <NumberField
            field="what_if.latches[0].section_percent"
            title="Critical section"
            unit="%"
            range={percents}
            value={latch.sectionPercent}
            explanation="CPU work of a thread while it holds the latch, in percent of the original."
            onChange={(sectionPercent) => edit({ latch: { ...latch, sectionPercent } })}
          />
          <HandOverChoice
            value={latch.handOver}
            onChange={(handOver) => edit({ latch: { ...latch, handOver } })}
          />
        </>
      )}
    </>
  );
}

function CostFields({ cost, edit }: EditProps & Pick<ShownWhatIf, 'cost'>) {
  return (
    <>
      <CostChoice
        id={cost?.id ?? ''}
        onChange={(id) => edit({ cost: id === '' ? null : { id, percent: cost?.percent ?? 100 } })}
      />
      {cost !== null && (
        <NumberField
          field={`what_if.costs.${cost.id}`}
          title="Percent of original"
          unit="%"
          range={percents}
          value={cost.percent}
          explanation="New cost in percent of the original, rounded down."
          onChange={(percent) => edit({ cost: { ...cost, percent } })}
        />
      )}
    </>
  );
}

function FromField({ fromS, edit }: EditProps & Pick<ShownWhatIf, 'fromS'>) {
  return (
    <>
      <NumberField
        field="what_if.from_s"
        title="Applies from"
        unit="s"
        range={{ min: 0, max: engine_limits.duration_s.max }}
        value={fromS}
        explanation="Run time at which the what-if starts. 0 covers the whole run."
        onChange={(momentS) => edit({ fromS: momentS })}
      />
      <CommandButton command="what_if.from_here" className="button-preset">
        From the time shown
      </CommandButton>
    </>
  );
}

const isOfAField = (field: string) =>
  field.startsWith('what_if.costs.') ||
  field === 'what_if.latches[0].section_percent' ||
  field === 'what_if.from_s';
