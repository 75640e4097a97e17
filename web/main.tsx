import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { availablePlatforms, measureClockStep_ns, missingCapabilities } from './engine-client/capabilities';
import { loadThreadedEngine } from './engine-client/threads-host';
import { loadVirtualEngine } from './engine-client/virtual-host';
import { all_scenarios } from './state/all-scenarios';
import { automationOf } from './state/automation';
import {
  followAddressBar,
  followScenario,
  followShortcutSetting,
  followTheme,
  followVisibility,
} from './state/browser';
import { followDroppedFiles } from './state/files';
import { keepOffline, tellIfEngineIsMissing } from './state/offline';
import { Session } from './state/session';
import { App } from './views/app';
import { WholePage } from './views/part';
import { SessionContext } from './views/session-context';
import './views/styles/index.css';

const missing = missingCapabilities();

// One session for the life of the page, outside of React, which may mount its components twice.
const session = new Session({
  scenarios: all_scenarios,
  machine: { cores: navigator.hardwareConcurrency, platforms: availablePlatforms(missing) },
  missing,
  clock_step_ns: missing.threads.length === 0 ? measureClockStep_ns() : null,
  loaders: { threads: loadThreadedEngine, virtual: loadVirtualEngine },
  drawPicture: async (content, format) =>
    (await import('./charts/export/draw-picture')).drawPicture(content, format),
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
