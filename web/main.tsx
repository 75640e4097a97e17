import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { availablePlatforms, measureClockStep_ns, missingCapabilities } from './engine-client/capabilities';
import { loadThreadedEngine } from './engine-client/threads-host';
import { loadVirtualEngine } from './engine-client/virtual-host';
import { all_scenarios } from './contract/all-scenarios';
import { automationOf } from './shell/automation';
import {
  followAddressBar,
  followScenario,
  followShortcutSetting,
  followTheme,
  followVisibility,
} from './browser/browser';
import { followDroppedFiles } from './browser/files';
import { keepOffline, tellIfEngineIsMissing } from './browser/offline';
import { Session } from './session/session';
import { App } from './shell/app';
import { WholePage } from './widgets/part';
import { SessionContext } from './widgets/session-context';
import './shell/styles/index.css';

const missing = missingCapabilities();

// One session for the life of the page, outside of React, which may mount its components twice.
const session = new Session({
  scenarios: all_scenarios,
  machine: { cores: navigator.hardwareConcurrency, platforms: availablePlatforms(missing) },
  missing,
  clock_step_ns: missing.threads.length === 0 ? measureClockStep_ns() : null,
  loaders: { threads: loadThreadedEngine, virtual: loadVirtualEngine },
  drawPicture: async (content, format) =>
    (await import('./features/files/draw-picture')).drawPicture(content, format),
});
followTheme(session);
followShortcutSetting(session);
followAddressBar(session);
followScenario(session);
followVisibility(session);
followDroppedFiles(session);
tellIfEngineIsMissing(session);

// The engine stands ready by the time that somebody presses Run.
const ready = session.engine().then(() => undefined);
ready.catch(() => undefined);
window.latchscope = automationOf(session, ready);
// Not before, as both load the same files.
if (import.meta.env.PROD) void ready.finally(() => keepOffline(session)).catch(() => undefined);

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <WholePage>
      <SessionContext value={session}>
        <App />
      </SessionContext>
    </WholePage>
  </StrictMode>,
);
