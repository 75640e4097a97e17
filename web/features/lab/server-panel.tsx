import { useMemo } from 'react';

import { scenarioInShort } from '../../contract/scenario-names';
import { compileLatch } from '../../session/source-compiler';
import { Choice, Options } from '../../widgets/choice';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { useLoaded } from '../../widgets/use-loaded';
import { useLab } from './lab';
import { placeOf, placesFor } from './lab-server';
import { sourceShown } from './lab-work';

/** Starts a bug with the latch, under the bug's own workload and next to InnoDB's latches. */
export function ServerPanel() {
  const lab = useLab();
  const scenarios = useExplorer((state) => state.scenarios);
  const source = useExplorer((state) => sourceShown(state.lab));
  const chosen = useExplorer((state) => state.lab.place);
  const compiled = useLoaded(compileLatch, source);
  // Undefined if it does not compile.
  const program = compiled instanceof Error ? undefined : compiled?.program;
  const places = useMemo(() => placesFor({ scenarios }, program), [scenarios, program]);
  const place = placeOf(places, chosen);
  return (
    <Panel title="In the server" className="lab-server">
      <Choice title="Replaces" value={place.id} onChange={(id) => lab.chooseServer(id)}>
        <Options
          of={places.map(({ id, manifest, knob }) => ({
            id,
            title: `${scenarioInShort(manifest)}: ${knob.title}`,
          }))}
        />
      </Choice>
      <p className="muted">{place.variant.explanation}</p>
      <div className="row lab-buttons">
        <CommandButton command="lab.server" className="button-main">
          Run bug, switch to latch
        </CommandButton>
        <CommandButton command="lab.server_flipped">Run bug with latch</CommandButton>
      </div>
    </Panel>
  );
}
