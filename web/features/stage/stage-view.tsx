import { useEffect, useSyncExternalStore } from 'react';

import { numberInWords, ratioInWords, withNumbers, type StageNumber } from '../../analysis/stage-numbers';
import type { Manifest } from '../../contract/manifest';
import type { StageStep, StageStory } from '../../contract/scenario-files/stage';
import { scenarioLabel } from '../../contract/scenario-names';
import { viewCommandId } from '../../session/commands';
import { CommandButton } from '../../widgets/command-button';
import { Loading } from '../../widgets/loading';
import { RateChart } from '../../widgets/rate-chart';
import { useExplorer, useSession } from '../../widgets/session-context';
import { QueuePictureView } from './queue-picture';
import { stageChart } from './stage-chart';
import type { StagePicture } from './stage-picture';
import { stagePlayerOf, type LoadedStage, type StagePlayer } from './stage-player';
import './stage.css';

/** Shows a bug at a glance: what breaks, by how much, who waits for whom, and two controls. */
export default function StageView() {
  const session = useSession();
  const player = stagePlayerOf(session);
  const scenario = useExplorer((state) => state.scenario.manifest.id);
  const opened = useExplorer((state) => state.stage.opened);
  useEffect(() => {
    const leave = player.show();
    if (!player.continues(scenario, opened)) void player.open(scenario, opened);
    return leave;
  }, [player, scenario, opened]);
  useSyncExternalStore(
    (onChange) => player.subscribe(onChange),
    () => player.changes,
  );
  const { loaded, picture, failure } = player;
  if (failure !== null)
    return (
      <main className="stage" role="alert">
        The stage could not be loaded. {failure.message}
      </main>
    );
  if (loaded === null || picture === null)
    return (
      <main className="stage">
        <Loading />
      </main>
    );
  return <Stage player={player} loaded={loaded} picture={picture} />;
}

interface StageProps {
  player: StagePlayer;
  loaded: LoadedStage;
  picture: StagePicture;
}

function Stage({ player, loaded, picture }: StageProps) {
  const { story, numbers, course } = loaded;
  const manifest = useExplorer((state) => state.scenario.manifest);
  const note = story.notes.findLast(({ after }) => after <= picture.phase);
  return (
    <main className="stage" aria-label={manifest.title}>
      <div className="stage-what">
        <h1>{withNumbers(story.headline, numbers)}</h1>
        <p className="stage-lead">{withNumbers(story.sentence, numbers)}</p>
        <Numbers numbers={numbers} story={story} phase={picture.phase} />
      </div>
      <div className="stage-run">
        <p className="stage-caption">
          <span>{story.rate}, in virtual time</span>
          <RecordedNote picture={picture} />
        </p>
        <RateChart {...stageChart(loaded, picture)} />
      </div>
      <aside className="stage-side">
        <QueuePictureView picture={picture.queue} clients={course.spec.threads} />
        {note !== undefined && <p className="stage-note">{note.text}</p>}
      </aside>
      <Controls player={player} story={story} picture={picture} manifest={manifest} />
    </main>
  );
}

interface NumbersProps {
  numbers: readonly StageNumber[];
  story: StageStory;
  phase: number;
}

/** The numbers of the recorded run. */
function Numbers({ numbers, story, phase }: NumbersProps) {
  const current = story.numbers.findLastIndex(({ after }) => after <= phase);
  return (
    <dl className="stage-numbers">
      {numbers.map((number, place) => (
        <div
          key={number.title}
          className={`stage-number stage-number-${place}`}
          data-current={place === current}
        >
          <dd>
            {numberInWords(number)}
            {number.ratio !== null && <span className="stage-ratio"> {ratioInWords(number)}</span>}
          </dd>
          <dt>{number.title}</dt>
        </div>
      ))}
    </dl>
  );
}

/** Says whether the picture is the recording, and how far the engine is. */
function RecordedNote({ picture: { recorded } }: { picture: StagePicture }) {
  if (recorded === null) return <span className="stage-live">live</span>;
  return (
    <span className="stage-recorded">
      recorded; engine at {Math.floor(recorded.part * 100)} %
      <progress max={1} value={recorded.part} aria-label="The engine’s progress" />
    </span>
  );
}

interface ControlsProps {
  player: StagePlayer;
  story: StageStory;
  picture: StagePicture;
  manifest: Manifest;
}

function Controls({ player, story, picture, manifest }: ControlsProps) {
  const { title, again } = story.break;
  const hasBroken = picture.steps.some(({ step }) => step === 'break');
  const canBreak = player.canPress('break');
  const designs = [
    { step: 'original', label: 'Original', isOn: !picture.isFixed },
    { step: 'fixed', label: 'Fixed', isOn: picture.isFixed },
  ] as const;
  const press = (step: StageStep) => () => {
    player.press(step);
  };
  return (
    <footer className="stage-controls" aria-label={scenarioLabel(manifest)}>
      <button type="button" className="stage-break" aria-disabled={!canBreak} onClick={press('break')}>
        {hasBroken ? (again ?? title) : title}
      </button>
      <div className="stage-designs" role="group" aria-label="Lock design">
        {designs.map(({ step, label, isOn }) => (
          <button key={step} type="button" aria-pressed={isOn} onClick={press(step)}>
            {label}
          </button>
        ))}
      </div>
      <CommandButton command="stage.restart" className="stage-restart" />
      <CommandButton command="page.server" className="stage-server">
        Your server
      </CommandButton>
      <CommandButton command={viewCommandId('explorer')} className="stage-instrument">
        Open the instrument ▸
      </CommandButton>
    </footer>
  );
}
