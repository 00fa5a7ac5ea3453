import { defineConfig } from '@playwright/test'
import { testChromium } from './build/scripts/chromium.js'
import { ownRunFolder } from './build/scripts/run-folder.js'
import { electronHere } from './tests/e2e/fixtures/electron.ts'
import type { Way } from './tests/e2e/fixtures/panel.ts'

const electron = electronHere()
// Workers read this file too. The runner may be killed while whoever started it goes on.
const isRunner = process.env.TEST_WORKER_INDEX === undefined
if (isRunner) ownRunFolder()
if ('reason' in electron && isRunner)
  process.stdout.write(`${electron.reason}: the journeys run in Chromium only.\n`)

/** Journeys: a person's way through the built panel, in Chromium, and in Electron where its executable is there. */
export default defineConfig<object, { way: Way }>({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './tests/e2e/fixtures/engine.ts',
  outputDir: 'test-results/journeys',
  // Each journey starts a panel, a service and a game server of its own, and waits half its time: three fill two cores.
  workers: 3,
  fullyParallel: true,
  // A journey that passes at the second try hides a fault.
  retries: 0,
  forbidOnly: true,
  timeout: 150_000,
  expect: { timeout: 20_000 },
  projects: [
    { name: 'chromium', use: { way: 'browser' } },
    // Some journeys are about the browser's way in alone.
    ...('file' in electron
      ? [{ name: 'electron', use: { way: 'electron' as const }, grepInvert: /@browser/ }]
      : []),
  ],
  use: {
    browserName: 'chromium',
    launchOptions: testChromium(),
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    locale: 'en-GB',
    actionTimeout: 30_000,
    // What a journey that failed leaves: its steps, a picture, and what could be read then. Filming every journey, or keeping
    // the page as it was at each step, would take a fifth more processor time each: `--trace on` does both.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false },
    screenshot: 'only-on-failure',
  },
})
