import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';

/** On this machine no latch is traced: why, and where it is. */
export function RealThreadsNote() {
  return (
    <Panel title="Latch track" className="real-threads-note">
      <p>
        Who holds a latch at each moment is not shown here: on real threads, writing down each hold would slow
        down the very latch that is looked at. Nor can real threads be taken back in time.{' '}
        <CommandButton command="locks.on_virtual_server" className="button-small">
          Run the same on the virtual server
        </CommandButton>
      </p>
    </Panel>
  );
}
