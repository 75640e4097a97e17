import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

import { scenarioInWords } from '../../contract/scenario-names';
import { formatShare } from '../../analysis/format';
import { CommandButton } from '../../widgets/command-button';
import { lessonPlaceTitles } from '../../widgets/lesson-place-titles';
import { Loading } from '../../widgets/loading';
import { Part } from '../../widgets/part';
import { useExplorer, useInFrame, useModel, useSession } from '../../widgets/session-context';
import { useLoaded } from '../../widgets/use-loaded';
import { SlideFigure, type PanelsOfSlides } from './slide-figure';
import type { SlideShow } from './slide-show';
import { MeasuredNumbers } from './slide-numbers';
import { letterOf, type Slide } from './slides';
import './slides.css';

/** Shows a bug's lesson as slides. `panels` are those of the page that slides show, too. */
export default function SlidesView({ panels }: { panels: PanelsOfSlides }) {
  const presenter = useModel('presenter');
  const load = useCallback(() => presenter.loadSlides(), [presenter]);
  const show = useLoaded(load, 'slides');
  if (show === null) return <Loading />;
  if (show instanceof Error) throw show;
  return <Slides show={show} panels={panels} />;
}

function Slides({ show, panels }: { show: SlideShow; panels: PanelsOfSlides }) {
  useEffect(() => show.begin(), [show]);
  useSyncExternalStore(
    (onChange) => show.subscribe(onChange),
    () => show.changes,
  );
  const index = useExplorer((state) => state.presenter.slide);
  const slide = show.slides[index];
  const main = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    main.current?.focus({ preventScroll: true });
  }, []);
  if (slide === undefined) return <Loading />;
  return (
    <main ref={main} className={`slides slide-${slide.kind}`} tabIndex={-1} aria-label="Slides">
      <SlideHead slide={slide} />
      <Part key={index} name="This slide">
        <SlideBody show={show} slide={slide} panels={panels} />
      </Part>
      <SlideFoot show={show} />
    </main>
  );
}

/** The build converts it from Markdown; web/build/lesson.ts allows no HTML in the source. */
const Html = ({ html }: { html: string }) => <span dangerouslySetInnerHTML={{ __html: html }} />;

/** Long titles are smaller. */
const LENGTH_MEDIUM = 44;
const LENGTH_SMALL = 104;
/** So are tables with more rows. */
const ROWS_LARGE = 8;

function sizeOfTitle(html: string): 'large' | 'medium' | 'small' {
  const { length } = html.replaceAll(/<[^>]+>/g, '');
  if (length > LENGTH_SMALL) return 'small';
  return length > LENGTH_MEDIUM ? 'medium' : 'large';
}

/** Keeps words such as "thirty-two" on one line. Attributes of tags stay as they are. */
const withWholeWords = (html: string) =>
  html.replaceAll(/\p{L}+(?:-\p{L}+)+(?![^<]*>)/gu, '<span class="slide-word">$&</span>');

function SlideHead({ slide }: { slide: Slide }) {
  const manifest = useExplorer((state) => state.scenario.manifest);
  return (
    <header className="slide-head">
      {slide.kind === 'opening' && <p className="slide-bug">MySQL {scenarioInWords(manifest)}</p>}
      <h1 data-size={sizeOfTitle(slide.title)}>
        {slide.kind === 'answer' && <span className="slide-letter">{slide.letter}</span>}
        <Html html={withWholeWords(slide.title)} />
      </h1>
      {slide.sentence !== null && (
        <p className="slide-sentence">
          <Html html={slide.sentence} />
        </p>
      )}
    </header>
  );
}

function SlideBody({ show, slide, panels }: { show: SlideShow; slide: Slide; panels: PanelsOfSlides }) {
  switch (slide.kind) {
    case 'opening':
    case 'text':
      return <div className="slide-figure" />;
    case 'question':
      return (
        <ol className="slide-choices">
          {slide.choices.map((html, choice) => (
            <li key={choice}>
              <span className="slide-letter">{letterOf(choice)}</span>
              <Html html={html} />
            </li>
          ))}
        </ol>
      );
    case 'table':
      return (
        <div
          className="slide-figure slide-table"
          data-is-long={slide.table.split('<tr>').length > ROWS_LARGE}
          dangerouslySetInnerHTML={{ __html: slide.table }}
        />
      );
    default:
      return (
        <>
          <MeasuredNumbers show={show} slide={slide} />
          <SlideFigure show={show} slide={slide} panels={panels} />
        </>
      );
  }
}

function SlideFoot({ show }: { show: SlideShow }) {
  const { slides, index } = show;
  const next = slides[index + 1];
  const canSkip = show.resultToSkipTo() !== null;
  return (
    <footer className="slide-foot">
      <span className="slide-dots" aria-hidden="true">
        {slides.map(({ step }, place) => (
          <span
            key={place}
            data-is-shown={place === index}
            data-is-first={slides[place - 1]?.step !== step}
          />
        ))}
      </span>
      <p role="status">
        {index + 1} of {slides.length}
      </p>
      <Progress show={show} />
      <CommandButton command="presenter.toggle" className="slide-leave">
        Leave
      </CommandButton>
      <CommandButton command="presenter.next" className="slide-next">
        {canSkip ? 'Skip to the recorded result' : next === undefined ? 'End' : `Next: ${nextInWords(next)}`}
        <span aria-hidden="true"> ▸</span>
      </CommandButton>
    </footer>
  );
}

function nextInWords(slide: Slide): string {
  switch (slide.kind) {
    case 'question':
      return 'a question';
    case 'answer':
      return 'the answer';
    case 'task':
      return textOfHtml(slide.title);
    case 'look':
      return lessonPlaceTitles[slide.place];
    case 'picture':
      return 'the picture';
    default:
      return textOfHtml(slide.title);
  }
}

const textOfHtml = (html: string) => new DOMParser().parseFromString(html, 'text/html').body.textContent;

/** Shows how far the task in progress is, and whether the slide shows the recording meanwhile. */
function Progress({ show }: { show: SlideShow }) {
  const { history } = useSession();
  useInFrame(({ live }) => live);
  const explaining = useExplorer((state) => state.explaining);
  const { work, recorded } = show;
  if (work === null) return null;
  const part =
    explaining.stage === 'under_way'
      ? explaining.partDone
      : work.toS === null
        ? null
        : Math.min(1, Math.max(0, (history.endS - work.fromS) / (work.toS - work.fromS)));
  return (
    <p className="slide-progress">
      {recorded === null ? 'Running' : 'Recorded result; the run is at'}{' '}
      {part !== null && <span>{formatShare(part)}</span>}
      <progress max={1} value={part ?? undefined} aria-label="Progress of the run" />
    </p>
  );
}
