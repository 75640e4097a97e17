import { lazy } from 'react';

import type { ChosenFile } from '../../contract/run-result-text';
import type { Feature } from '../../session/feature';
import type { Session } from '../../session/session';
import { Workload } from './workload';
import {
  isWorkloadField,
  parseWorkload,
  workloadFields,
  workloadPairs,
  type LinkedWorkload,
} from './workload-link';
import { draftFrom, firstWorkload, isWorkloadOpen } from './workload-state';

export const WorkloadView = lazy(() => import('./workload-view'));

declare module '../../session/feature' {
  interface FeatureModels {
    workload: Workload;
  }
}

interface WorkloadPagePorts {
  session: Session;
  /** Returns the draft stored on this device; null if there is none or storage is forbidden. */
  rememberedWorkload: () => string | null;
  rememberWorkload: (text: string) => void;
  files: {
    save: (name: string, content: Blob) => void;
    pick: (accept: string) => Promise<ChosenFile | null>;
  };
}

export const workloadFeature: Feature<WorkloadPagePorts> = {
  slice: firstWorkload,
  link: {
    names: workloadFields,
    isBesideTheRun: true,
    view: 'workload',
    isField: isWorkloadField,
    isOfAnyPlatform: isWorkloadField,
    misplaced: (view, pairs) =>
      pairs.flatMap(([field, value]) =>
        isWorkloadField(field) && view !== 'workload'
          ? [{ field, value, allowed: 'only with view=workload' }]
          : [],
      ),
    parse: parseWorkload,
    format: ({ view, workload, draft }) =>
      view === 'workload' ? workloadPairs(workload, draft.workload?.source) : [],
    sourceOf: ({ view, workload }) => (view === 'workload' ? workload.source : null),
    partsOf: ({ workload }) => [workload.template, workload.source],
  },
  open: ({ session, rememberedWorkload, rememberWorkload, files }) => {
    const { store } = session;
    const draft = draftFrom(rememberedWorkload());
    if (draft !== null) store.setState(({ workload }) => ({ workload: { ...workload, ...draft } }));
    const workload = new Workload({
      store,
      show: () => session.openView('workload'),
      start: (spec) => session.startRun(spec),
      remember: rememberWorkload,
      save: files.save,
      pick: files.pick,
      register: (commands) => session.commands.register(commands),
    });
    // The editor has the source of the run that the reader opens.
    store.subscribe(({ opened, spec }, before) => {
      const source = spec?.workload?.source;
      if (opened === null || opened === before.opened || source === undefined) return;
      store.setState(({ workload: shown }) => ({ workload: { ...shown, source, side: 'run' } }));
    });
    session.files.accept({
      ending: '.workload',
      open: async (file) => (await workload.load()).openFile(file),
    });
    return {
      models: { workload },
      commands: [
        {
          commands: () => [
            {
              id: 'workload.new',
              title: 'New workload: model your own bug',
              execute: async () => (await workload.load()).begin(),
            },
            {
              id: 'workload.declared',
              title: 'Workload: show what it declares',
              execute: async () => (await workload.load()).begin(),
            },
            {
              id: 'workload.show_run',
              title: 'Workload: show the run',
              isEnabled: isWorkloadOpen,
              unlessEnabled: 'no workload has run',
              execute: async () => (await workload.load()).showRun(),
            },
            {
              id: 'workload.open',
              title: 'Open workload…',
              execute: async () => (await workload.load()).choose(),
            },
          ],
        },
      ],
      openLink: ({ linkedWorkload }: LinkedWorkload) => {
        if (linkedWorkload === undefined) return;
        const hasRun = isWorkloadOpen(store.getState());
        store.setState(({ workload: shown }) => ({
          workload: { ...shown, ...linkedWorkload, side: hasRun ? 'run' : 'declared' },
        }));
      },
    };
  },
};
