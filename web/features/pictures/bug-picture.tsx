import { useId } from 'react';

import { CommandButton } from '../../widgets/command-button';
import { useExplorer } from '../../widgets/session-context';
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
  const { title, promise, usePicture, slider } = picture;
  const drawn = usePicture();
  return (
    <figure className="picture" aria-labelledby={titleId} data-is-large={isLarge}>
      <figcaption className="picture-head">
        <strong id={titleId}>{title}</strong>
        {!isLarge && (
          <CommandButton command="picture.open" className="button-icon" title="Enlarge picture">
            <span aria-hidden="true">⤢</span>
            <span className="visually-hidden">Enlarge picture</span>
          </CommandButton>
        )}
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
