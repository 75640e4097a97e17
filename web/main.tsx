// Connects the page to the browser and renders it.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import {
  availablePlatforms,
  measureClockStepNs,
  missingCapabilities,
  thisMachine,
} from './engine-client/capabilities';
import { loadThreadedEngine } from './engine-client/threads-host';
import { loadVirtualEngine } from './engine-client/virtual-host';
import { all_scenarios } from './contract/all-scenarios';
import {
  copyLink,
  copyText,
  documentLoaded,
  followAddressBar,
  followScenario,
  followShortcutSetting,
  followTheme,
  followVisibility,
  lastRunStorage,
  rememberedLab,
  rememberedWorkload,
  rememberLab,
  rememberWorkload,
  toggleFullScreen,
} from './browser/browser';
import { followDroppedFiles, pickFile, pickFiles, saveFile } from './browser/files';
import { keepOffline, reload, tellIfEngineIsMissing } from './browser/offline';
import { App } from './shell/app';
import { automationOf } from './shell/automation';
import { keepEngineReady } from './shell/engine-ready';
import { createPage } from './shell/page';
import { WholePage } from './widgets/part';
import { ModelsContext, SessionContext } from './widgets/session-context';
import './shell/styles/index.css';

const missing = missingCapabilities();

// Created outside of React, which may mount components twice, and used for the life of the
// document.
const page = createPage(
  {
    scenarios: all_scenarios,
    machine: { ...thisMachine(), platforms: availablePlatforms(missing) },
    missing,
    clockStepNs: missing.threads.length === 0 ? measureClockStepNs() : null,
    loaders: { threads: loadThreadedEngine, virtual: loadVirtualEngine },
  },
  {
    reload,
    copyLink,
    copyText,
    files: { save: saveFile, pick: pickFile, pickSeveral: pickFiles },
    toggleFullScreen,
    remembered: rememberedLab,
    remember: rememberLab,
    rememberedWorkload,
    rememberWorkload,
    lastRunStorage,
    nowMs: () => performance.now(),
  },
);
const { session } = page;
followTheme(session);
followShortcutSetting(session);
const linkOpened = followAddressBar(session);
void linkOpened.finally(() => {
  page.lastRun.offer();
});
followScenario(session);
followVisibility(session);
followDroppedFiles((files) => page.waits.openDropped(files));
tellIfEngineIsMissing(session);

const engineReady = keepEngineReady(session);
window.latchscope = automationOf(page, linkOpened);
// Wait for both, because the engine and the offline copy load the same files.
const allLoaded = Promise.all([documentLoaded(), engineReady]);
if (import.meta.env.PROD) void allLoaded.then(() => keepOffline(session)).catch(() => undefined);

// A failed page must be able to restart, even without service workers.
const reloadWhateverFails = () => {
  reload().catch(() => {
    location.reload();
  });
};

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <WholePage reload={reloadWhateverFails}>
      <SessionContext value={session}>
        <ModelsContext value={page}>
          <App />
        </ModelsContext>
      </SessionContext>
    </WholePage>
  </StrictMode>,
);
