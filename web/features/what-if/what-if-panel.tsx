import { describeFaults } from '../../contract/fault';
import { engine_limits } from '../../contract/engine-limits';
import type { WhatIfDraft } from '../../contract/draft';
import { whatIfInWords } from '../../session/what-if-words';
import { CommandButton } from '../../widgets/command-button';
import { NumberField } from '../../widgets/number-field';
import { Panel } from '../../widgets/panel';
import { useExplorer, useSession } from '../../widgets/session-context';
import { howMuch, shownOf, whatIfOf, type ShownWhatIf } from './what-if';
import { CostChoice, HandOverChoice, LatchChoice } from './choices';
import './what-if.css';

const percents = { min: 0, max: engine_limits.what_if_percent_max };

/** What the next run supposes of one latch and of one cost of the server. */
export default function WhatIfPanel() {
  const what_if = useExplorer(({ draft }) => draft.what_if);
  const shown = shownOf(what_if);
  return (
    <Panel title="What if" note="of the next run">
      {shown === null ? (
        <p>From the link: {howMuch(what_if!)}, more than there are fields for here.</p>
      ) : (
        <WhatIfFields shown={shown} />
      )}
      <p className="what-if-next" role="status" aria-label="What the next run supposes">
        {nextRunInWords(what_if)}
      </p>
      <OtherFaults is_shown={shown !== null} />
      <div className="presets">
        {what_if !== null && (
          <>
            <CommandButton command="what_if.suppose" className="button-preset">
              In this run, from here on
            </CommandButton>
            <CommandButton command="what_if.clear" className="button-preset">
              As it is
            </CommandButton>
          </>
        )}
        <CommandButton command="what_if.curve" className="button-preset">
          Curve of it
        </CommandButton>
        <CommandButton command="what_if.profile" className="button-preset">
          Causal profile
        </CommandButton>
      </div>
    </Panel>
  );
}

function nextRunInWords(what_if: WhatIfDraft | null): string {
  const words = whatIfInWords(what_if);
  return words === null ? 'Next run: everything as it is.' : `Next run: ${words}.`;
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
      {(shown.latch ?? shown.cost) !== null && <FromField from_s={shown.from_s} edit={edit} />}
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
          const rest = latch ?? { section_percent: 100, hand_over: 'as_it_is' };
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
            value={latch.section_percent}
            explanation="What CPU work costs a thread while it holds the latch."
            onChange={(section_percent) => {
              edit({ latch: { ...latch, section_percent } });
            }}
          />
          <HandOverChoice
            value={latch.hand_over}
            onChange={(hand_over) => {
              edit({ latch: { ...latch, hand_over } });
            }}
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
        onChange={(id) => {
          edit({ cost: id === '' ? null : { id, percent: cost?.percent ?? 100 } });
        }}
      />
      {cost !== null && (
        <NumberField
          field={`what_if.costs.${cost.id}`}
          title="Of what it costs"
          unit="%"
          range={percents}
          value={cost.percent}
          explanation="The cost is so many percent of what it is, rounded down."
          onChange={(percent) => {
            edit({ cost: { ...cost, percent } });
          }}
        />
      )}
    </>
  );
}

function FromField({ from_s, edit }: EditProps & Pick<ShownWhatIf, 'from_s'>) {
  return (
    <>
      <NumberField
        field="what_if.from_s"
        title="It holds from"
        unit="s"
        range={{ min: 0, max: engine_limits.duration_s.max }}
        value={from_s}
        explanation="Run time. Until then the run is as if nothing were supposed; 0 is the whole run."
        onChange={(moment_s) => {
          edit({ from_s: moment_s });
        }}
      />
      <CommandButton command="what_if.from_here" className="button-preset">
        From the moment shown
      </CommandButton>
    </>
  );
}

/** Those that no field here shows. */
function OtherFaults({ is_shown }: { is_shown: boolean }) {
  const errors = useExplorer(({ draft_errors }) => draft_errors);
  const faults = errors.filter(
    ({ field }) => field.startsWith('what_if') && !(is_shown && isOfAField(field)),
  );
  return describeFaults(faults).map((fault) => (
    <p key={fault} className="hint hint-error">
      {fault}
    </p>
  ));
}

const isOfAField = (field: string) =>
  field.startsWith('what_if.costs.') ||
  field === 'what_if.latches[0].section_percent' ||
  field === 'what_if.from_s';
