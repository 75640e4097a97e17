import { counted } from '../../analysis/format';
import { lacksCores } from '../../session/first-run';
import { isFirstRunShown, type ExplorerState } from '../../session/store';
import { CommandButton, IconButton } from '../../widgets/command-button';
import { useExplorer } from '../../widgets/session-context';

/** An interactive change makes it a different run from the recorded one. */
const isOnRecordedWay = ({ previousRun, marks, run_state }: ExplorerState) =>
  previousRun?.kind === 'recorded' && run_state !== 'finished' && !marks.some((mark) => mark.is_by_hand);

/** Explains the run that the page started by itself, and how to fix what it shows. */
export function FirstRunNote() {
  const isShown = useExplorer(isFirstRunShown);
  const manifest = useExplorer((state) => state.scenario.manifest);
  const hasTooFewCores = useExplorer(
    ({ machine, draft }) => draft.platform === 'virtual' && lacksCores(manifest, machine),
  );
  const cores = useExplorer(({ machine }) => machine.cores);
  const followsRecordedRun = useExplorer(isOnRecordedWay);
  if (!isShown || manifest.first_run === undefined) return null;
  const { cores_min, watch } = manifest.first_run;
  return (
    <section className="notice notice-calm row notice-row" aria-label="First run">
      <p>
        {watch}
        {followsRecordedRun && ' The pale line is a recording of this run; the live run follows it.'}
        {hasTooFewCores && (
          <>
            {' '}
            <strong>
              This machine has {counted(cores, 'core')}; this bug needs about {cores_min} cores to show.
            </strong>{' '}
            It runs on the virtual server. Choose This machine to try it on real threads.
          </>
        )}
      </p>
      <span className="notice-buttons">
        <CommandButton command="design.fixed" className="button-main">
          Switch to fixed design
        </CommandButton>
        <CommandButton command="design.original">Original design</CommandButton>
        <IconButton command="first_run.dismiss" sign="✕" label="Close note" />
      </span>
    </section>
  );
}
