import { CommandButton } from '../../widgets/command-button';
import { Panel } from '../../widgets/panel';

/** Explains why real threads have no latch track, and where to find one. */
export function RealThreadsNote() {
  return (
    <Panel title="Latch track" className="real-threads-note">
      <p>
        The latch track needs the virtual server: on real threads, recording each hold would slow the latch.
        Going back needs the virtual server too.{' '}
        <CommandButton command="locks.on_virtual_server" className="button-small">
          Run on the virtual server
        </CommandButton>
      </p>
    </Panel>
  );
}
