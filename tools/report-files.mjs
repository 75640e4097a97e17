// Writes the reports of a command: one option per format, each with a file or - for standard output.
import { resolve } from 'node:path';

import { usageError } from './command-line.mjs';
import { requireWritable, writeWhole } from './files.mjs';
import { EXIT } from './processes.mjs';

/**
 * Returns the reports to write. Throws a UsageError if one of them cannot be written.
 * @template Format
 * @param {Record<string, Format>} formats by option, such as `--json`
 * @param {Record<string, string | undefined>} values of the options, by name without dashes
 * @returns {({ option: string, target: string, format: Format })[]}
 */
export function requestedReports(formats, values) {
  const optionOf = new Map();
  return Object.entries(formats).flatMap(([option, format]) => {
    const target = values[option.slice(2)];
    if (target === undefined) return [];
    const place = target === '-' ? target : resolve(target);
    if (optionOf.has(place)) throw usageError(option, target, `not the target of ${optionOf.get(place)}`);
    optionOf.set(place, option);
    if (target !== '-') requireWritable(option, target);
    return [{ option, target, format }];
  });
}

/** Whether standard output is free for text. */
export const isOutputFree = (reports) => reports.every(({ target }) => target !== '-');

/**
 * Writes reports. Sets the exit code if one of them cannot be written.
 * @template Format
 * @param {({ option: string, target: string, format: Format })[]} reports
 * @param {(format: Format) => string | Promise<string>} textOf
 */
export async function writeReports(reports, textOf) {
  for (const { option, target, format } of reports) {
    const text = await textOf(format);
    try {
      if (target === '-') process.stdout.write(text);
      else writeWhole(target, text);
    } catch (error) {
      console.error(`${option}: ${target} cannot be written: ${error.message}`);
      process.exitCode = EXIT.cannotWrite;
    }
  }
}
