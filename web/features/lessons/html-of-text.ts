import { texts } from 'virtual:scenario-texts';

/** Of a field of a story or a lesson: in the page it holds the number of a text that is loaded with this module. */
export const htmlOfText = (field: string): string => texts[Number(field)]!;
