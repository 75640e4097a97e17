// Reads a measured file that a reader dropped or chose: output of `npm run real-servers`. The page
// shows nothing of a file that has any fault.
import { faultsBeyondSchema, versionFaults } from '../../contract/real-servers/measured-faults.mjs';
import { measuredServer, type MeasuredServer } from '../../contract/real-servers/measured-server.mjs';
import { describeValue, FAULTS_TOLD_MAX, type Fault } from '../../contract/fault';
import type { Manifest } from '../../contract/manifest';
import { fileSizeFaults, shapeFaults } from '../../contract/run-result-limits';
import { parseJsonObject, refuse } from '../../contract/run-result-text';
import type { Parsed } from '../../contract/run-spec';
import { scenarioInWords } from '../../contract/scenario-names';
import { measured_schema } from '../../contract/scenario-files/measured';
import { faultInWords, faultsInWords } from '../../contract/schema-faults';

/** Several times the size of a file with 64 numbers of clients. */
const FILE_MIB_MAX = 4;
export const A_MEASURED_FILE = 'a measured file: JSON from `npm run real-servers`';

/** The scenarios that a file may belong to. */
interface Expected {
  manifests: readonly Manifest[];
  /** The scenario on screen; null: any. */
  shown: Manifest | null;
}

interface OpenedMeasured {
  scenario: string;
  server: MeasuredServer;
}

/** Checks the content of a file and reports its faults: field, value and allowed values. */
export function parseMeasuredFile(text: string, expected: Expected): Parsed<OpenedMeasured> {
  const tooLarge = fileSizeFaults(text.length, FILE_MIB_MAX);
  if (tooLarge.length > 0) return refuse(tooLarge);
  const tooMuch = shapeFaults(text);
  if (tooMuch.length > 0) return refuse(tooMuch);
  const content = parseJsonObject(text, A_MEASURED_FILE);
  if (!content.ok) return content;
  const document = content.value;
  const first = [...versionFaults(document).map(faultInWords), ...bugFaults(document, expected)];
  if (first.length > 0) return refuse(first.slice(0, 1));
  const parsed = measured_schema.safeParse(document);
  if (!parsed.success) {
    const issues = parsed.error.issues.slice(0, FAULTS_TOLD_MAX);
    return refuse(faultsInWords(issues, document));
  }
  const measured = parsed.data;
  const faults = faultsBeyondSchema(measured);
  if (faults.length > 0) return refuse(faults.map(faultInWords));
  return { ok: true, value: { scenario: measured.scenario, server: measuredServer(measured) } };
}

function bugFaults(document: Record<string, unknown>, { manifests, shown }: Expected): Fault[] {
  const { scenario } = document;
  const of = manifests.find(({ id }) => id === scenario);
  if (of === undefined) {
    const allowed = `one of ${manifests.map(({ id }) => id).join(', ')}`;
    return [{ field: 'scenario', value: describeValue(scenario), allowed }];
  }
  if (shown === null || of === shown) return [];
  return [
    {
      field: 'scenario',
      value: `${of.id} (${scenarioInWords(of)})`,
      allowed: `${shown.id}: the page shows ${scenarioInWords(shown)}; open ${scenarioInWords(of)} first`,
    },
  ];
}
