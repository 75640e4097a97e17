// Maps keys to commands in one table, which the keys, the help sheet and the command palette use.
import {
  designCommandId,
  knobCommandId,
  mainRunCommandId,
  platformCommandId,
  viewCommandId,
} from '../session/commands';
import { lessonDoCommandId } from '../features/lessons';
import { tasksOf } from '../contract/lesson';
import { scenarioInWords } from '../contract/scenario-names';
import type { View, ExplorerState } from '../session/store';
import { nextThemeCommandId } from './page-commands';

export interface Shortcut {
  /**
   * Keys pressed in sequence, by the values of KeyboardEvent: `key`, and `code` for the space bar.
   */
  keys: readonly string[];
  /**
   * Pressed with Ctrl, or with Command on a Mac. Such a shortcut also works in fields and cannot be
   * disabled.
   */
  withCtrl?: true;
  title: string;
  /** Returns the id of the command. */
  command: (state: ExplorerState) => string;
  /** Views in which it applies; all if omitted. */
  views?: readonly View[];
  /** Whether it applies while slides are shown: also, or only then. Otherwise it does not. */
  onSlides?: 'also' | 'only';
}

export interface ShortcutGroup {
  title: string;
  shortcuts: readonly Shortcut[];
}

const always = (command: string) => () => command;
const explorer: readonly View[] = ['explorer'];
const explorerAndLab: readonly View[] = ['explorer', 'lab'];
const VARIANT_KEYS_MAX = 9;

export function shortcutGroups({ scenario }: Pick<ExplorerState, 'scenario'>): ShortcutGroup[] {
  const { knobs, designs } = scenario.manifest;
  const variantsThat = (isReaders: boolean) =>
    knobs.flatMap((knob) =>
      knob.variants
        .filter(({ needs }) => (needs !== undefined) === isReaders)
        .map(({ id, title }) => ({
          title: `${knob.title}: ${title}`,
          command: knobCommandId(knob.id, id),
        })),
    );
  const variants = [...variantsThat(false), ...variantsThat(true)];
  return [
    { title: 'Run, in Explore', shortcuts: runShortcuts },
    {
      title: `Designs of ${scenarioInWords(scenario.manifest)}, in Explore`,
      shortcuts: [
        ...presetShortcuts.filter(({ design }) => design in designs),
        ...variants.slice(0, VARIANT_KEYS_MAX).map(({ title, command }, index) => ({
          keys: [String(index + 1)],
          title,
          command: always(command),
          views: explorer,
        })),
      ],
    },
    { title: 'Lesson, in Explore', shortcuts: lessonShortcuts },
    { title: 'Slides', shortcuts: slideShortcuts },
    { title: 'Anywhere', shortcuts: pageShortcuts },
  ];
}

const presetShortcuts = [
  { keys: ['o'], title: 'Original', design: 'original' },
  { keys: ['f'], title: 'Fixed', design: 'fixed' },
].map((preset) => ({ ...preset, command: always(designCommandId(preset.design)), views: explorer }));

export const shortcutsOf = (state: ExplorerState): Shortcut[] =>
  shortcutGroups(state).flatMap(({ shortcuts }) => shortcuts);

const runShortcuts: readonly Shortcut[] = [
  { keys: ['Space'], title: 'Run, pause, resume', command: mainRunCommandId, views: explorer },
  { keys: ['s'], title: 'Stop', command: always('run.stop'), views: explorer },
  { keys: ['.'], title: 'Step 10 µs (virtual server)', command: always('run.step'), views: explorer },
  { keys: [','], title: 'Step 1 event (virtual server)', command: always('run.step_event'), views: explorer },
  { keys: ['>'], title: 'Back 10 µs (virtual server)', command: always('rewind.step'), views: explorer },
  { keys: ['<'], title: 'Back 1 event (virtual server)', command: always('rewind.event'), views: explorer },
  {
    keys: ['['],
    title: 'Latch, also in lab: previous event',
    command: ({ view }) => (view === 'lab' ? 'lab.step.back' : 'locks.step_back'),
    views: explorerAndLab,
  },
  {
    keys: [']'],
    title: 'Latch, also in lab: next event',
    command: ({ view }) => (view === 'lab' ? 'lab.step.on' : 'locks.step_forward'),
    views: explorerAndLab,
  },
  {
    keys: ['{'],
    title: 'Explanation: previous part',
    command: always('explain.earlier_part'),
    views: explorer,
    onSlides: 'also',
  },
  {
    keys: ['}'],
    title: 'Explanation: next part',
    command: always('explain.later_part'),
    views: explorer,
    onSlides: 'also',
  },
  { keys: ['m'], title: 'This machine', command: always(platformCommandId('threads')), views: explorer },
  { keys: ['v'], title: 'Virtual server', command: always(platformCommandId('virtual')), views: explorer },
];

const lessonShortcuts: readonly Shortcut[] = [
  { keys: ['e'], title: 'Open lesson', command: always('lesson.open'), views: explorer },
  { keys: ['n'], title: 'Next step', command: always('lesson.next'), views: explorer },
  { keys: ['b'], title: 'Previous step', command: always('lesson.previous'), views: explorer },
  { keys: ['d'], title: 'Perform step', command: lessonDoCommand, views: explorer },
];

/** Returns the lesson's own command if there is nothing to do. */
function lessonDoCommand({ lesson, scenario }: ExplorerState): string {
  const step = lesson === null ? undefined : scenario.lesson?.steps[lesson.step];
  const tasks = step === undefined ? [] : tasksOf(step);
  if (lesson === null || tasks.length === 0) return 'lesson.open';
  return lessonDoCommandId(Math.min(lesson.tasks_done, tasks.length - 1));
}

/** Most slide remotes send PageDown and PageUp. F5 belongs to the browser. */
const slideShortcuts: readonly Shortcut[] = [
  ...['PageDown', 'ArrowRight', 'Space'].map((key) => onSlide(key, 'Next', 'presenter.next')),
  ...['PageUp', 'ArrowLeft'].map((key) => onSlide(key, 'Previous', 'presenter.previous')),
  onSlide('Home', 'First', 'presenter.first'),
  onSlide('f', 'Full screen', 'presenter.fullscreen'),
  ...['Escape', '.'].map((key) => onSlide(key, 'Leave', 'presenter.toggle')),
];

function onSlide(key: string, title: string, command: string): Shortcut {
  return { keys: [key], title, command: always(command), onSlides: 'only' };
}

const pageShortcuts: readonly Shortcut[] = [
  { keys: ['k'], withCtrl: true, title: 'Commands', command: always('palette.open'), onSlides: 'also' },
  { keys: ['?'], title: 'Keys and help', command: always('help.open'), onSlides: 'also' },
  { keys: ['g', 'b'], title: 'Go to all bugs', command: always(viewCommandId('front')) },
  { keys: ['g', 'e'], title: 'Go to Explore', command: always(viewCommandId('explorer')) },
  { keys: ['g', 'c'], title: 'Go to Compare', command: always(viewCommandId('compare')) },
  { keys: ['g', 's'], title: 'Go to Sweep', command: always(viewCommandId('sweep')) },
  { keys: ['g', 'w'], title: 'Go to What if', command: always(viewCommandId('what_if')) },
  { keys: ['g', 'l'], title: 'Go to latch lab', command: always(viewCommandId('lab')) },
  { keys: ['g', 'y'], title: 'Go to your waits', command: always(viewCommandId('waits')) },
  { keys: ['g', 'o'], title: 'Go to your own workload', command: always(viewCommandId('workload')) },
  { keys: ['g', 'm'], title: 'Server: sockets, cores, clients', command: always('page.server') },
  { keys: ['l'], title: 'Copy link', command: always('link.copy'), views: explorer },
  { keys: ['p'], title: 'Present as slides', command: always('presenter.toggle'), onSlides: 'also' },
  { keys: ['t'], title: 'Change theme', command: nextThemeCommandId, onSlides: 'also' },
];

/** Returns the keys of a shortcut as the reader sees them. */
export function keysInWords({ keys, withCtrl }: Shortcut, isMac: boolean): string[] {
  return withCtrl ? [isMac ? '⌘' : 'Ctrl', ...keys.map((key) => key.toUpperCase())] : [...keys];
}

/** Returns the present shortcut of a command, if it has one. */
export const shortcutOf = (state: ExplorerState, command: string): Shortcut | undefined =>
  shortcutsOf(state).find((shortcut) => shortcut.command(state) === command);
