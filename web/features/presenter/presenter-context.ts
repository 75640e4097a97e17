// Provides the page's presenter to views.
import { createContext, useContext } from 'react';

import type { Presenter } from './presenter';

export const PresenterContext = createContext<Presenter | null>(null);

export function usePresenter(): Presenter {
  const presenter = useContext(PresenterContext);
  if (presenter === null) throw new Error('A view was mounted outside of PresenterContext.');
  return presenter;
}
