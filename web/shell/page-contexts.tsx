import type { ReactNode } from 'react';

import { ExperimentsContext } from '../features/experiments/experiments-context';
import { ForksContext } from '../features/forks/forks-context';
import { LabContext } from '../features/lab/lab-context';
import { LocksContext } from '../features/locks/locks-context';
import { PresenterContext } from '../features/presenter/presenter-context';
import { StudiesContext } from '../features/what-if/studies-context';
import { SessionContext } from '../widgets/session-context';
import type { Page } from './page';

/** Provides the objects that views use. */
export function PageContexts({ page, children }: { page: Page; children: ReactNode }) {
  return (
    <SessionContext value={page.session}>
      <ExperimentsContext value={page.experiments}>
        <StudiesContext value={page.studies}>
          <PresenterContext value={page.presenter}>
            <LocksContext value={page.locks}>
              <ForksContext value={page.forks}>
                <LabContext value={page.lab}>{children}</LabContext>
              </ForksContext>
            </LocksContext>
          </PresenterContext>
        </StudiesContext>
      </ExperimentsContext>
    </SessionContext>
  );
}
