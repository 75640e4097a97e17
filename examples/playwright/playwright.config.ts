import { defineConfig } from '@playwright/test';

export default defineConfig({
  // Ends a test that hangs. How long a run takes depends on the machine.
  timeout: 600_000,
  use: {
    // Each test has a new browser profile, so storing the page offline would only take time.
    serviceWorkers: 'block',
  },
});
