import { useMemo } from 'react';

import { compile } from '../../analysis/latch-language/compile';
import { Choice } from '../../widgets/choice';
import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';
import { useExplorer } from '../../widgets/session-context';
import { useLab } from './lab-context';
import { placeOf, placesFor } from './lab-server';
import type { LabState } from './lab-state';
import { sourceShown } from './lab-work';

/** Takes the latch into a bug: it serves there under the bug's own workload, beside InnoDB's. */
export function ServerPanel() {
  const lab = useLab();
  const scenarios = useExplorer((state) => state.scenarios);
  const source = useExplorer((state: LabState) => sourceShown(state.lab));
  const chosen = useExplorer((state: LabState) => state.lab.place);
  const places = useMemo(() => placesFor({ scenarios }, compile(source).program), [scenarios, source]);
  const place = placeOf(places, chosen);
  return (
    <Panel title="In the server" className="lab-server">
      <Choice
        title="Place"
        value={place.id}
        onChange={(id) => {
          lab.chooseServer(id);
        }}
      >
        {places.map(({ id, manifest, knob }) => (
          <option key={id} value={id}>
            #{manifest.bug}: {knob.title}
          </option>
        ))}
      </Choice>
      <p className="muted">{place.variant.explanation}</p>
      <div className="lab-buttons">
        <CommandButton command="lab.server" className="button-main">
          Run the bug, flip to it there
        </CommandButton>
        <CommandButton command="lab.server_flipped">Run it with your latch at once</CommandButton>
      </div>
    </Panel>
  );
}
