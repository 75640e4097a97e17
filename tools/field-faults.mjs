// @ts-check
// What is wrong with a JSON document, one line for each fault: the field, its value and what is allowed.

/**
 * @param {string} field such as `parameters[0].default`
 * @param {unknown} value
 * @param {string} allowed
 */
export function fault(field, value, allowed) {
  const shown = value === undefined ? 'nothing' : JSON.stringify(value);
  return `${field}: got ${shown.length > 60 ? `${shown.slice(0, 57)}...` : shown}; allowed: ${allowed}`;
}

/** @param {string[]} names */
export const oneOf = (names) => (names.length > 0 ? `one of ${names.join(', ')}` : 'none');

/**
 * @param {string[]} names
 * @returns {string[]} those that stand there more than once
 */
export const duplicates = (names) => [...new Set(names.filter((name, i) => names.indexOf(name) !== i))];

/**
 * @param {object} schema JSON schema, draft 7
 * @returns {Promise<(document: unknown) => string[]>}
 */
export async function faultsOfSchema(schema) {
  const { Ajv } = await import('ajv'); // Not before the npm packages are installed.
  const validate = new Ajv({ allErrors: true, verbose: true, allowUnionTypes: true }).compile(schema);
  return (document) =>
    validate(document) ? [] : (validate.errors ?? []).filter(saysWhatIsWrong).map(describe);
}

// These only repeat that something below them is wrong.
/** @param {import('ajv').ErrorObject} error */
const saysWhatIsWrong = ({ keyword }) => !['if', 'oneOf', 'propertyNames'].includes(keyword);

/** @param {import('ajv').ErrorObject} error */
function describe(error) {
  const parent = fieldOf(error.instancePath);
  const { params, keyword } = error;
  const data = /** @type {any} */ (error.data);
  /** @param {string} name */
  const child = (name) => (parent === '' ? name : `${parent}.${name}`);
  if (keyword === 'required')
    return fault(child(params.missingProperty), undefined, 'a value: it is required');
  if (keyword === 'additionalProperties') {
    const known = Object.keys(error.parentSchema?.properties ?? {});
    return fault(
      child(params.additionalProperty),
      data[params.additionalProperty],
      `only ${known.join(', ')}`,
    );
  }
  const field = error.propertyName === undefined ? parent : child(error.propertyName);
  return fault(field || '(top level)', error.propertyName ?? data, allowedBy(error));
}

/** @type {Record<string, (params: Record<string, any>) => string>} */
const ALLOWED_BY = {
  const: ({ allowedValue }) => JSON.stringify(allowedValue),
  enum: ({ allowedValues }) => oneOf(allowedValues),
  exclusiveMinimum: ({ limit }) => `more than ${limit}`,
  maximum: ({ limit }) => `${limit} or less`,
  maxItems: ({ limit }) => `a list of at most ${limit}`,
  maxLength: ({ limit }) => `at most ${limit} characters`,
  minimum: ({ limit }) => `${limit} or more`,
  minItems: ({ limit }) => `a list of at least ${limit}`,
  minLength: ({ limit }) => `at least ${limit} characters`,
  pattern: ({ pattern }) => `text that matches ${pattern}`,
  type: ({ type }) => `of type ${[type].flat().join(' or ')}`,
};

/** @param {import('ajv').ErrorObject} error */
const allowedBy = (error) => ALLOWED_BY[error.keyword]?.(error.params) ?? String(error.message);

/** @param {string} instancePath a JSON pointer */
const fieldOf = (instancePath) =>
  instancePath
    .slice(1)
    .replaceAll(/\/(\d+)(?=\/|$)/g, '[$1]')
    .replaceAll('/', '.');
