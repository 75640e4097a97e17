import { asOnALargeMachine } from './large-machine';

// Files that were measured on real servers, as they lie in the repository.
const texts: Record<string, string> = import.meta.glob('/scenarios/*/measured/mysql-9.7.4-2-cores.json', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** Of MySQL 9.7.4 on two cores. */
export function measuredText(scenario: string): string {
  const text = texts[`/scenarios/${scenario}/measured/mysql-9.7.4-2-cores.json`];
  if (text === undefined)
    throw new Error(`${scenario} has no such file; there are ${Object.keys(texts).join()}`);
  return text;
}

/** Of #117533. */
export const onALargeMachine = () => asOnALargeMachine(measuredText('undo-read-117533'));
