import { all_scenarios } from '../../contract/all-scenarios';
import { machine } from '../../contract/test-fixtures';
import { loadVirtualEngineInNode } from '../../engine-client/test-fixtures/virtual-engine-in-node';
import { Session, type SessionOptions } from '../session';

/** Creates a session with all bugs and the page's own virtual server, without a browser. */
export function sessionInNode(options: Partial<SessionOptions> = {}): Session {
  const never = () => new Promise<never>(() => undefined);
  return new Session({
    scenarios: all_scenarios,
    machine,
    clockStepNs: null,
    missing: { threads: [], virtual: [] },
    loaders: { threads: never, virtual: loadVirtualEngineInNode },
    ...options,
  });
}
