import { asOnALargeMachine } from './large-machine';

// Loads the repository's files with measurements of real servers.
const texts: Record<string, string> = import.meta.glob('/scenarios/*/measured/mysql-9.7.4-2-cores.json', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Returns the file for MySQL 9.7.4 on two cores. */
export function measuredText(scenario: string): string {
  const text = texts[`/scenarios/${scenario}/measured/mysql-9.7.4-2-cores.json`];
  if (text === undefined)
    throw new Error(`${scenario} has no such file; there are ${Object.keys(texts).join()}`);
  return text;
}

/** Returns the file of #117533, changed to a large machine. */
export const onALargeMachine = () => asOnALargeMachine(measuredText('undo-read-117533'));
