import { lazy } from 'react';

import type { Command } from '../../session/command-registry';
import { LATCH_OF_RUN } from '../../session/commands';
import type { Feature } from '../../session/feature';
import type { Session } from '../../session/session';
import { Lab } from './lab';
import { isLabField, labFields, labPairs, parseLab } from './lab-link';
import type { LabPorts } from './latch-lab';
import { firstLab, openLabLink } from './lab-state';

export const LabView = lazy(() => import('./lab-view'));

declare module '../../session/feature' {
  interface FeatureModels {
    lab: Lab;
  }
}

interface LabPagePorts extends Pick<LabPorts, 'remembered' | 'remember'> {
  session: Session;
  files: { save: LabPorts['save'] };
}

export const labFeature: Feature<LabPagePorts> = {
  slice: firstLab,
  link: {
    names: labFields,
    isBesideTheRun: true,
    view: 'lab',
    isField: isLabField,
    isOfAnyPlatform: isLabField,
    misplaced: (view, pairs) =>
      pairs.flatMap(([field, value]) =>
        isLabField(field) && view !== 'lab' ? [{ field, value, allowed: 'only with view=lab' }] : [],
      ),
    parse: parseLab,
    format: ({ view, lab }) => (view === 'lab' ? labPairs(lab) : []),
    sourceOf: ({ view, lab }) => (view === 'lab' ? lab.source : null),
    partsOf: ({ lab }) => [lab.latch, lab.exercise, lab.source],
  },
  open: ({ session, remembered, remember, files }) => {
    const lab = new Lab({
      store: session.store,
      engine: () => session.extraEngines.engine(),
      show: () => session.openView('lab'),
      start: async (spec) => {
        session.openView('explorer');
        await session.startRun(spec);
      },
      remembered,
      remember,
      save: files.save,
      register: (commands) => session.commands.register(commands),
    });
    return {
      models: { lab },
      commands: [{ commands: () => [showLatchOfRun(session, lab)] }],
      openLink: (link) => openLabLink(session.store, link),
    };
  },
};

const showLatchOfRun = ({ store }: Session, lab: Lab): Command => ({
  id: LATCH_OF_RUN,
  title: 'Latch lab: show this run’s latch',
  execute: async () => {
    (await lab.load()).begin(store.getState().draft.latch?.source ?? null);
  },
});
