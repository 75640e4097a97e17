import type { Feature, ParsedLink } from '../../session/feature';
import type { Parsed } from '../../contract/run-spec';
import type { PresenterReadings } from '../../contract/page-readings';
import type { PresenterState } from './presenter-state';

/** The presenter's fields of a link. */
export interface PresenterLink {
  isPresenting: boolean;
}

const notPresenting: PresenterReadings = { presenter: { is_on: false, cues_done: 0 } };

/** The presenter as a feature of the session. */
export const presenterFeature: Feature = {
  slice: notPresenting,
  link: {
    names: ['presenter'],
    isBesideTheRun: true,
    isField: (key) => key === 'presenter',
    isOfAnyPlatform: (key) => key === 'presenter',
    parse: parsePresenter,
    format: (state) => ((state as PresenterState).presenter.is_on ? [['presenter', '1']] : []),
    partsOf: (state) => [(state as PresenterState).presenter.is_on],
  },
};

function parsePresenter({ pairs }: ParsedLink): Parsed<PresenterLink> {
  const value = new Map(pairs).get('presenter');
  if (value !== undefined && value !== '1') {
    return { ok: false, errors: [{ field: 'presenter', value, allowed: '1, or no such field' }] };
  }
  return { ok: true, value: { isPresenting: value !== undefined } };
}
