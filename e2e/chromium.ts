// How tests start Chromium.
const is_root = process.getuid?.() === 0;

/** `path`: of another Chromium than Playwright's own. */
const launchedFrom = (path: string | undefined) => ({
  ...(path === undefined ? {} : { executablePath: path }),
  // Chromium's sandbox refuses to run as root.
  args: [
    ...(is_root ? ['--no-sandbox'] : []),
    '--disable-background-networking',
    '--disable-component-update',
    // Letters look the same whatever the system's settings are.
    '--font-render-hinting=none',
    '--disable-lcd-text',
  ],
});

const { CHROMIUM_PATH, CHROMIUM_HEADLESS_SHELL_PATH } = process.env;

/** As people have it: for pictures. */
export const whole_chromium = launchedFrom(CHROMIUM_PATH);
/** Its headless shell, where there is one: it takes less of the processor, but draws letters a little differently. */
export const lean_chromium = launchedFrom(CHROMIUM_HEADLESS_SHELL_PATH ?? CHROMIUM_PATH);
