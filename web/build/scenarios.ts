import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

import { Ajv, type ErrorObject } from 'ajv';
import { marked } from 'marked';
import type { Plugin } from 'vite';

import type { Manifest } from '../state/manifest';

const VIRTUAL_ID = 'virtual:scenarios';

/** Makes `import { scenarios } from 'virtual:scenarios'` yield every scenario folder, checked, stories as HTML. */
export function scenarios(scenarios_folder: string): Plugin {
  return {
    name: 'latchscope:scenarios',
    resolveId: (id) => (id === VIRTUAL_ID ? `\0${VIRTUAL_ID}` : null),
    load(id) {
      if (id !== `\0${VIRTUAL_ID}`) return null;
      const loaded = loadScenarios(scenarios_folder, (file) => {
        this.addWatchFile(file);
      });
      return `export const scenarios = ${JSON.stringify(loaded)};`;
    },
  };
}

export function loadScenarios(scenarios_folder: string, on_file: (file: string) => void = () => undefined) {
  const read = (...parts: string[]) => {
    const file = path.join(scenarios_folder, ...parts);
    on_file(file);
    return readFileSync(file, 'utf8');
  };
  const schema = JSON.parse(read('manifest.schema.json')) as object;
  const folders = readdirSync(scenarios_folder, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  return folders.map(({ name }) => {
    const manifest: unknown = JSON.parse(read(name, 'manifest.json'));
    const errors = manifestErrors(manifest, schema, name);
    if (errors.length > 0) {
      throw new Error(errors.map((error) => `scenarios/${name}/manifest.json: ${error}`).join('\n'));
    }
    return {
      manifest: manifest as Manifest,
      story_html: marked.parse(read(name, 'story.md'), { async: false }),
    };
  });
}

/** One line for each fault, naming the field, its value and what is allowed. */
export function manifestErrors(manifest: unknown, schema: object, folder: string): string[] {
  const ajv = new Ajv({ allErrors: true, verbose: true });
  if (!ajv.validate(schema, manifest)) return (ajv.errors ?? []).map(describeSchemaError);
  return referenceErrors(manifest as Manifest, folder);
}

function describeSchemaError(error: ErrorObject): string {
  const params = error.params as {
    additionalProperty?: string;
    missingProperty?: string;
    allowedValues?: unknown[];
  };
  const named = params.additionalProperty ?? params.missingProperty;
  const field = fieldOf(error.instancePath) + (named === undefined ? '' : `.${named}`);
  if (params.missingProperty !== undefined) return fault(field, 'nothing', 'a value (the field is required)');
  if (params.additionalProperty !== undefined) return fault(field, 'a value', 'no field of this name');
  const allowed = params.allowedValues ? `one of ${JSON.stringify(params.allowedValues)}` : error.message;
  return fault(field, JSON.stringify(error.data), allowed ?? error.keyword);
}

// What a JSON schema cannot say: names that must exist elsewhere in the manifest, bounds that must be in order.
function referenceErrors(manifest: Manifest, folder: string): string[] {
  const errors: string[] = [];
  if (manifest.id !== folder) errors.push(fault('id', manifest.id, `${folder}, the name of its folder`));
  for (const [index, parameter] of manifest.parameters.entries()) {
    errors.push(...boundErrors(`parameters[${index}]`, parameter));
  }
  errors.push(...boundErrors('threads', manifest.threads));
  for (const [design, variants] of Object.entries(manifest.designs)) {
    errors.push(...designErrors(manifest, design, variants));
  }
  return errors;
}

function boundErrors(
  field: string,
  { min, max, default: start }: { min: number; max: number; default: number },
) {
  if (min > max) return [fault(`${field}.min`, min, `at most max, ${max}`)];
  return start < min || start > max ? [fault(`${field}.default`, start, `${min} to ${max}`)] : [];
}

function designErrors(manifest: Manifest, design: string, variants: Record<string, string>): string[] {
  const knobs = manifest.knobs.map((knob) => knob.id);
  const unknown = Object.keys(variants).filter((knob) => !knobs.includes(knob));
  const unknown_errors = unknown.map((knob) =>
    fault(`designs.${design}.${knob}`, variants[knob], `a knob: ${knobs.join(', ')}`),
  );
  const variant_errors = manifest.knobs.flatMap((knob) => {
    const allowed = knob.variants.map((variant) => variant.id);
    const variant = variants[knob.id];
    if (variant !== undefined && allowed.includes(variant)) return [];
    return [fault(`designs.${design}.${knob.id}`, variant ?? 'nothing', `one of ${allowed.join(', ')}`)];
  });
  return [...unknown_errors, ...variant_errors];
}

const fieldOf = (instance_path: string) =>
  instance_path
    .replace(/\/(\d+)/g, '[$1]')
    .replace(/\//g, '.')
    .replace(/^\./, '') || 'manifest';

const fault = (field: string, value: unknown, allowed: string) =>
  `${field} is ${String(value)}; allowed: ${allowed}`;
