import { useEffect, useMemo, useSyncExternalStore } from 'react';

import { numberInWords, withNumbers } from '../../analysis/stage-numbers';
import { stageLink } from '../../session/link';
import { RateChart } from '../../widgets/rate-chart';
import { useSession } from '../../widgets/session-context';
import { DemoPlayer } from './demo-player';
import { ClientDots } from './queue-picture';
import { stageChart } from './stage-chart';
import type { StagePicture } from './stage-picture';
import type { LoadedStage } from './stage-player';
import './stage.css';
import './stage-demo.css';

/** Plays a bug by itself: its break and its fix, on the start page. */
export default function StageDemo({ scenario }: { scenario: string }) {
  const session = useSession();
  const player = useMemo(() => new DemoPlayer(session, scenario, !prefersStillness()), [session, scenario]);
  useEffect(() => player.show(), [player]);
  useSyncExternalStore(
    (onChange) => player.subscribe(onChange),
    () => player.changes,
  );
  const { loaded, picture } = player;
  if (loaded === null || picture === null) return null;
  return <Demo player={player} loaded={loaded} picture={picture} />;
}

interface DemoProps {
  player: DemoPlayer;
  loaded: LoadedStage;
  picture: StagePicture;
}

function Demo({ player, loaded, picture }: DemoProps) {
  const { scenario, story, numbers, course } = loaded;
  const { points, queue } = picture;
  const rate = points.findLast((point) => point.rate !== null)?.rate ?? null;
  const note = story.notes.findLast(({ after }) => after <= picture.phase);
  return (
    <div className="stage-demo">
      <h2>
        <a href={stageLink(scenario)}>{withNumbers(story.headline, numbers)}</a>
      </h2>
      <p className="stage-demo-now">
        <strong>{rate === null ? '–' : numberInWords({ figure: 'rate', value: rate })}</strong> {story.rate}
      </p>
      <div className="stage-demo-run">
        <RateChart {...stageChart(loaded, picture)} />
        <ClientDots states={queue?.states ?? {}} clients={course.spec.threads} />
      </div>
      <p className="stage-demo-note">{note?.text}</p>
      <p className="stage-demo-origin">
        <Origin picture={picture} />
        <button
          type="button"
          className="button"
          onClick={() => {
            player.toggle();
          }}
        >
          {player.isPlaying ? 'Pause' : 'Play'}
        </button>
      </p>
    </div>
  );
}

/** Says where the picture comes from. */
function Origin({ picture: { recorded } }: { picture: StagePicture }) {
  if (recorded === null) return <span>Computed in this page, on a modeled server</span>;
  return (
    <span>
      Recorded run of a modeled server{' '}
      {recorded.part > 0 && (
        <progress max={1} value={recorded.part} aria-label="Computed in this page so far" />
      )}
    </span>
  );
}

const prefersStillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
