// Renders embed.html: one bug on the virtual server, for frames in other pages.
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

import { missingCapabilities, thisMachine } from './engine-client/capabilities';
import { loadVirtualEngine } from './engine-client/virtual-host';
import { all_scenarios } from './contract/all-scenarios';
import {
  embedOptions,
  followEmbedOptions,
  openOutside,
  pauseOutOfView,
  reportHeight,
  showEmbedTheme,
} from './browser/embedding/frame';
import { followVisibility } from './browser/browser';
import { tellIfEngineIsMissing } from './browser/offline';
import { EmbeddedRun, EmbedFaults } from './shell/embedded-run';
import { embeddedSession } from './shell/embedded-session';
import { WholePage } from './widgets/part';
import { SessionContext } from './widgets/session-context';
import './shell/styles/embed.css';

const root = document.getElementById('root')!;
const options = embedOptions();
const embedded = options.ok
  ? embeddedSession(options.value, {
      scenarios: all_scenarios,
      machine: thisMachine(),
      missing: missingCapabilities().virtual,
      loadEngine: loadVirtualEngine,
    })
  : options;

if (options.ok) showEmbedTheme(options.value);
followEmbedOptions();
reportHeight(root);

function view() {
  if (!embedded.ok) return <EmbedFaults errors={embedded.errors} />;
  const session = embedded.value;
  followVisibility(session);
  tellIfEngineIsMissing(session);
  pauseOutOfView(root, session);
  return (
    <SessionContext value={session}>
      <EmbeddedRun openOutside={openOutside} />
    </SessionContext>
  );
}

createRoot(root).render(
  <StrictMode>
    <WholePage
      reload={() => {
        location.reload();
      }}
    >
      {view()}
    </WholePage>
  </StrictMode>,
);
if (options.ok) {
  root.dataset.fills = String(options.value.heightPx !== null);
  if (embedded.ok && options.value.isAutoplay) void embedded.value.commands.perform('run.start');
}
