import { texts } from 'virtual:scenario-texts';

/**
 * Returns the HTML for a field of a story or a lesson. In the page the field is the index of a text
 * that loads with this module.
 */
export const htmlOfText = (field: string): string => texts[Number(field)]!;
