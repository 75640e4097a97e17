import { evidenceCommands, showOpenedMeasuredFiles } from './evidence';
import { evidenceFeature } from './index';
import type { SessionOptions } from '../../session/session';
import { registerStandIns, sessionForTest } from '../../session/test-fixtures/session-for-test';

/** Creates a session with the evidence. */
export function sessionWithEvidence(options: Partial<SessionOptions> = {}) {
  const session = sessionForTest({ features: [evidenceFeature], ...options });
  session.commands.register(evidenceCommands(session));
  showOpenedMeasuredFiles(session);
  registerStandIns(session, 'measured.open', 'measured.close');
  return session;
}
