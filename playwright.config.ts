import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/chromium.mjs'

const chromium = findChromium()

/**
 * Journeys share the servers of their worker, one after the other, with the state put back between them
 * (e2e/backends.ts).
 */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/make-template.ts',
  testMatch: '**/*.spec.ts',
  // Minutes of kills, for whoever changes the vault: npm run e2e:kills.
  testIgnore: process.env.WITH_KILLS ? [] : '**/*-kills.spec.ts',
  // e2e/deep.ts, e2e/short.ts
  ...(process.env.TEST_SUITE === 'short' ? { grep: /@short/ } : {}),
  ...(process.env.WITH_DEEP ? {} : { grepInvert: /@deep/ }),
  outputDir: 'node_modules/.cache/playwright',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  // More than there are processors, for a journey waits at times; but with twice as many each one took twice as long.
  workers: Math.ceil(availableParallelism() * 1.5),
  fullyParallel: true,
  // What passes the second time alone is told as unsteady by scripts/test.mjs.
  retries: process.env.CI ? 1 : 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [
    ['list'],
    [
      'json',
      { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'node_modules/.cache/test-results/playwright.json' },
    ],
  ],
  use: {
    locale: 'en-US',
    timezoneId: 'America/Sao_Paulo',
    viewport: { width: 1440, height: 900 },
    contextOptions: { reducedMotion: 'reduce' },
    // It fetches the whole app in the background of each journey: the journeys that show what it is for allow it.
    serviceWorkers: 'block',
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        // There is none: what would stand in for it costs a tenth of the processor's time.
        '--disable-gpu',
        '--in-process-gpu',
        // A page lives for seconds: compiling its code for speed costs more than it gives.
        '--js-flags=--no-opt --no-maglev',
      ],
    },
  },
})
