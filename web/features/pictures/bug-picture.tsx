import { useId } from 'react';

import { phaseFigures, type PhaseFigures } from '../../analysis/pictures/phase-figures';
import { countedSeconds } from '../../session/opened-result';
import type { ExplorerState } from '../../session/store';
import { IconButton } from '../../widgets/command-button';
import { useExplorer, useInFrame, useSession } from '../../widgets/session-context';
import { aioPicture } from './aio-picture';
import { binlogPicture } from './binlog-picture';
import { blockReadPicture } from './block-read-picture';
import type { DrawnPicture, PictureOfBug } from './picture';
import { PictureSlider } from './picture-slider';
import { undoReadPicture } from './undo-read-picture';
import { xaPicture } from './xa-picture';
import './pictures.css';

/** Pictures by scenario id; a bug without one has only a text. */
const pictures: Readonly<Record<string, PictureOfBug>> = {
  'aio-wakeup-95491': aioPicture,
  'binlog-purge-104615': binlogPicture,
  'fil-mutex-69276': blockReadPicture,
  'undo-read-117533': undoReadPicture,
  'xa-gtid-99638': xaPicture,
};

/**
 * Draws the picture that explains the shown bug, from its run. Renders nothing for a bug without a
 * picture.
 */
export default function BugPicture({ isLarge = false }: { isLarge?: boolean }) {
  const id = useExplorer((state) => state.scenario.manifest.id);
  const picture = pictures[id];
  return picture === undefined ? null : <Picture key={id} picture={picture} isLarge={isLarge} />;
}

function Picture({ picture, isLarge }: { picture: PictureOfBug; isLarge: boolean }) {
  const titleId = useId();
  const { title, promise, draw, slider } = picture;
  const session = useSession();
  const spec = useExplorer((state) => state.spec);
  const manifest = useExplorer((state) => state.scenario.manifest);
  const phases = usePhaseFigures();
  const drawn = spec && draw({ session, phases, spec, manifest });
  return (
    <figure className="picture" aria-labelledby={titleId} data-is-large={isLarge}>
      <figcaption className="picture-head">
        <strong id={titleId}>{title}</strong>
        {!isLarge && <IconButton command="picture.open" sign="⤢" label="Enlarge picture" />}
      </figcaption>
      {drawn === null ? <p className="muted">{promise}</p> : <Drawn drawn={drawn} />}
      <PictureSlider slider={slider} outcome={drawn?.outcome ?? null} />
    </figure>
  );
}

function Drawn({ drawn: { drawing, words, figures, more } }: { drawn: DrawnPicture }) {
  return (
    <>
      {drawing}
      <p className="picture-words">{words}</p>
      {more}
      <details className="picture-numbers">
        <summary>Numbers in this picture</summary>
        <table>
          <tbody>
            {figures.map(({ name, value }, i) => (
              <tr key={i}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

/** Returns the phases of the shown run, updated as often as the tables. */
function usePhaseFigures(): PhaseFigures[] {
  const session = useSession();
  // The run's data change with these.
  useInFrame(({ live }) => live);
  useExplorer(({ spec }) => spec);
  const state = session.store.getState();
  if (state.spec === null) return [];
  if (state.opened !== null) return wholeRun(state);
  const names = session.lanesNow()?.names;
  if (names === undefined) return [];
  const { spec, marks, scenario } = state;
  return phaseFigures({
    readings: session.phaseReadings.all,
    marks,
    design: spec.design,
    names,
    manifest: scenario.manifest,
    isModeled: spec.platform === 'virtual',
  });
}

/** A file has the totals of its run, but not per design. */
function wholeRun({ result, live, spec }: ExplorerState): PhaseFigures[] {
  if (result === null || live === null || spec === null) return [];
  if (spec.actions.some((timed) => 'knob' in timed)) return [];
  const seconds = countedSeconds(result);
  const count = (counter: string) => result.counters[counter] ?? 0;
  return [
    {
      design: spec.design,
      actions: spec.actions.flatMap((timed) => ('action' in timed ? timed.action : [])),
      fromNs: 0,
      untilNs: seconds * 1e9,
      seconds,
      count,
      total: count,
      latches: live.latch_rows,
    },
  ];
}
