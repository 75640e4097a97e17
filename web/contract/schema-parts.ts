// Provides the parts of the contract's schemas. A schema's message becomes the `allowed` of a
// fault: the accepted values in words (schema-faults.ts).
import * as z from 'zod/mini';

import { isVisible } from './fault.ts';

export interface Range {
  min: number;
  max: number;
}

export const oneOf = (values: readonly (string | number)[]): string => {
  if (values.length === 0) return 'none';
  return values.length === 1 ? String(values[0]) : `one of ${values.join(', ')}`;
};

export const integerInWords = (min: number, max: number) => `an integer from ${min} to ${max}`;

export function integer({ min, max }: Range) {
  const error = integerInWords(min, max);
  return z.int({ error }).check(z.gte(min, { error }), z.lte(max, { error }));
}

export function integerFrom(min: number) {
  const error = `an integer from ${min}`;
  return z.int({ error }).check(z.gte(min, { error }));
}

export const anInteger = () => z.int({ error: 'an integer' });
export const aNumber = () => z.number({ error: 'a number' });

export function number({ min, max }: Range, in_words = `a number from ${min} to ${max}`) {
  return z
    .number({ error: in_words })
    .check(z.gte(min, { error: in_words }), z.lte(max, { error: in_words }));
}

export function numberFrom(min: number) {
  const error = `a number from ${min}`;
  return z.number({ error }).check(z.gte(min, { error }));
}

export function numberAbove(limit: number) {
  const error = `a number above ${limit}`;
  return z.number({ error }).check(z.gt(limit, { error }));
}

interface Characters {
  min?: number;
  max: number;
}

export function textInWords({ min = 0, max }: Characters, what: string): string {
  const most = max.toLocaleString('en');
  const length = min > 1 ? `of ${min} to ${most}` : `of up to ${most}`;
  const filled = min === 1 ? `${what} that is not empty,` : what;
  return `${filled} ${length} characters, all of them visible`;
}

/** `what`: the kind of text, in words. */
export function text(characters: Characters, what = 'a text') {
  const error = textInWords(characters, what);
  return z
    .string({ error })
    .check(
      z.minLength(characters.min ?? 0, { error }),
      z.maxLength(characters.max, { error }),
      z.refine(isVisible, { error }),
    );
}

export function textLike(pattern: RegExp, in_words: string, max = 200) {
  const error = in_words;
  return z
    .string({ error })
    .check(z.regex(pattern, { error }), z.maxLength(max, { error }), z.refine(isVisible, { error }));
}

export const IDENTIFIER_IN_WORDS = 'small letters, digits and _, a letter first, of up to 48 characters';
export const identifier = () => textLike(/^[a-z][a-z0-9_]*$/, IDENTIFIER_IN_WORDS, 48);

export const hyphenated = () =>
  textLike(
    /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    'words of small letters and digits, joined by hyphens, of up to 48 characters',
    48,
  );

export const choice = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, { error: oneOf(values) });

export const truth = () => z.boolean({ error: 'true or false' });

export const listOf = <Item extends z.core.$ZodType>(
  item: Item,
  of: string,
  { min = 0, max }: ListBounds = {},
) => {
  const least = min > 0 ? `at least ${min} ` : '';
  const most = max === undefined ? '' : `${min > 0 ? 'and ' : ''}at most ${max} `;
  const error = `a list of ${least}${most}${of}`;
  return z
    .array(item, { error })
    .check(z.minLength(min, { error }), ...(max === undefined ? [] : [z.maxLength(max, { error })]));
};

interface ListBounds {
  min?: number;
  max?: number;
}

/** An object with exactly these fields. */
export const strictObject = <Shape extends z.core.$ZodShape>(
  shape: Shape,
  in_words = `an object with ${Object.keys(shape).join(', ')}`,
) =>
  z.strictObject(shape, {
    error: ({ code }) => (code === 'unrecognized_keys' ? oneOf(Object.keys(shape)) : in_words),
  });

/** An object with at least these fields; others are ignored. */
export const openObject = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.object(shape, { error: `an object with ${Object.keys(shape).join(', ')}` });

export const recordOf = <Value extends z.core.$ZodType>(
  key: z.core.$ZodRecordKey,
  value: Value,
  of: string,
  key_in_words?: string,
) =>
  z.record(key as z.ZodMiniString<string>, value, {
    error: ({ code }) =>
      code === 'invalid_key' && key_in_words !== undefined ? key_in_words : `an object of ${of}`,
  });

/** A file of the project: its version, and optionally its schema for editors. */
export const documentOf = <const Version extends number, Shape extends z.core.$ZodShape>(
  schema_version: Version,
  shape: Shape,
) => strictObject({ $schema, schema_version: exactly(schema_version), ...shape });

export const $schema = z.exactOptional(z.string({ error: 'the path of a JSON schema' }));

export const exactly = <const Value extends string | number | boolean>(value: Value) =>
  z.literal(value, { error: String(value) });
