// Launch options of Chromium in tests.
const isRoot = process.getuid?.() === 0;

/** `path`: a Chromium other than Playwright's own. */
const launchedFrom = (path: string | undefined) => ({
  ...(path === undefined ? {} : { executablePath: path }),
  // Chromium's sandbox refuses to run as root.
  args: [
    ...(isRoot ? ['--no-sandbox'] : []),
    '--disable-background-networking',
    '--disable-component-update',
    // Renders text the same way whatever the system's settings are.
    '--font-render-hinting=none',
    '--disable-lcd-text',
  ],
});

const { CHROMIUM_PATH, CHROMIUM_HEADLESS_SHELL_PATH } = process.env;

/** The full browser that readers use: for pictures. */
export const wholeChromium = launchedFrom(CHROMIUM_PATH);
/**
 * The headless shell if it is available: it uses less CPU time, but renders text slightly
 * differently.
 */
export const leanChromium = launchedFrom(CHROMIUM_HEADLESS_SHELL_PATH ?? CHROMIUM_PATH);
