// Finds or installs the browsers of the tests: Chromium and Firefox.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../processes.mjs';
import { run } from './commands.mjs';
import { debianInstall } from './debian-packages.mjs';
import { thisMachine } from './host-machine.mjs';
import { part } from './part.mjs';
import { byVariable, onPath, requireProgram } from './programs.mjs';
import { say, step } from './progress.mjs';

const RENDER_NOTHING = ['--headless', '--no-sandbox', '--disable-gpu', '--dump-dom', 'about:blank'];
const START_TIMEOUT_MS = 60_000;
const DOWNLOAD_TIMEOUT_MS = 10 * 60_000;
const CONNECT_TIMEOUT_MS = 8000;

/**
 * Packages to leave out: the host provides some, because its loader starts the browser, and a
 * headless browser never needs the others.
 */
const NOT_NEEDED = (
  'libc6 libgcc-s1 libstdc++6 debconf dpkg tar perl perl-base dbus dbus-user-session systemd libpam-systemd ' +
  'adwaita-icon-theme hicolor-icon-theme xdg-utils xdg-desktop-portal dconf-gsettings-backend ' +
  'gsettings-desktop-schemas ucf sensible-utils libgl1-mesa-dri'
).split(' ');

/** For machines without fonts: uses the fonts of the packages. */
const FONT_CONFIGURATION = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">usr/share/fonts</dir>
  <include ignore_missing="yes">60-latin.conf</include>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

async function describeFound(path) {
  await requireProgram(path);
  return { path };
}

/** Browsers restart themselves through /proc/self/exe, so the host's loader must start them. */
const launcherOf = (program) => `#!/bin/sh
root="$(cd "\${0%/*}" && pwd)/root"
libraries="$root/usr/lib/${thisMachine().multiarch}"
export LD_LIBRARY_PATH="$libraries:$libraries/pulseaudio"
if [ ! -e /etc/fonts/fonts.conf ]; then
  export FONTCONFIG_FILE="$root/fonts.conf" FONTCONFIG_PATH="$root/usr/share/fontconfig/conf.avail"
fi
exec "$root/${program}" "$@"
`;

/**
 * `headlessShell` is the package of the same browser without windows. Older releases do not have
 * it.
 */
function debianBrowser(title, folder, packageName, trial, { headlessShell = '', revision } = {}) {
  const programIn = (name) => `usr/lib/${packageName}/${name}`;
  const places = [
    { offered: 'path', program: programIn(packageName), launcher: folder },
    ...(headlessShell
      ? [{ offered: 'headless_shell', program: programIn(headlessShell), launcher: headlessShell }]
      : []),
  ];
  const start = (directory, launcher) =>
    step(`${title}: starting ${launcher}`, () =>
      run(join(directory, launcher), trial, { timeout_ms: START_TIMEOUT_MS }),
    );
  return debianInstall({
    title,
    revision,
    packages: (offered) => [packageName, ...[headlessShell].filter((name) => offered.has(name))],
    without: NOT_NEEDED,
    describe: (directory) =>
      Object.fromEntries(
        places
          .filter(({ launcher }) => existsSync(join(directory, launcher)))
          .map(({ offered, launcher }) => [offered, join(directory, launcher)]),
      ),
    finish: async (directory) => {
      writeFileSync(join(directory, 'root', 'fonts.conf'), FONT_CONFIGURATION);
      for (const { offered, program, launcher } of places) {
        if (!existsSync(join(directory, 'root', program))) continue;
        writeFileSync(join(directory, launcher), launcherOf(program), { mode: 0o755 });
        await start(directory, launcher).catch((error) => {
          if (offered === 'path') throw error;
          rmSync(join(directory, launcher));
          say(
            `${title}: skipping ${launcher} and using the full browser instead: ${error.message.split('\n')[0]}`,
          );
        });
      }
    },
  });
}

/** Returns Playwright's own Chromium if it is installed. */
async function fromPlaywright() {
  return describeFound((await import('playwright-core')).chromium.executablePath());
}

async function downloadByPlaywright() {
  const args = [join(repository, 'node_modules/playwright-core/cli.js'), 'install', 'chromium'];
  const env = { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: String(CONNECT_TIMEOUT_MS) };
  await step('Chromium: playwright install chromium', () =>
    run(process.execPath, args, { env, timeout_ms: DOWNLOAD_TIMEOUT_MS }),
  );
  return fromPlaywright();
}

/** When installed from Debian packages, it also has a `headless_shell` for tests. */
export const chromium = part({
  title: 'Chromium',
  folder: 'chromium',
  found: [
    byVariable('CHROMIUM_PATH', describeFound),
    { name: "Playwright's own", get: fromPlaywright },
    onPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'], describeFound),
  ],
  installs: [
    debianBrowser('Chromium', 'chromium', 'chromium', RENDER_NOTHING, {
      headlessShell: 'chromium-headless-shell',
      revision: 2,
    }),
  ],
  elsewhere: [{ name: "Playwright's download", get: downloadByPlaywright }],
  remedy:
    'install Chromium (Debian: apt-get install chromium; elsewhere: npx playwright install --with-deps ' +
    'chromium), or set CHROMIUM_PATH to a Chromium or Chrome',
});

export const firefox = part({
  title: 'Firefox',
  folder: 'firefox',
  found: [byVariable('FIREFOX_PATH', describeFound), onPath(['firefox', 'firefox-esr'], describeFound)],
  installs: [debianBrowser('Firefox', 'firefox', 'firefox-esr', ['--version'])],
  remedy: 'install Firefox (Debian: apt-get install firefox-esr), or set FIREFOX_PATH to one',
});
