import type { ChosenFile } from '../../contract/run-result-text';

/** A file of the reader's device. */
export const chosenFile = (name: string, content: string | number[]): ChosenFile =>
  new File([typeof content === 'string' ? content : new Uint8Array(content)], name);
