import { defineConfig } from '@playwright/test'
import { findChromium } from './scripts/chromium.mjs'

const chromium = findChromium()

/** Every journey starts servers of its own (e2e/server.ts), so that none sees another's data. */
export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/make-template.ts',
  testMatch: '**/*.spec.ts',
  // Minutes of kills, for whoever changes the vault: npm run e2e:kills.
  testIgnore: process.env.WITH_KILLS ? [] : '**/*-kills.spec.ts',
  outputDir: 'node_modules/.cache/playwright',
  timeout: 90_000,
  expect: { timeout: 10_000 },
  workers: 2,
  fullyParallel: false,
  retries: 0,
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_NAME ?? 'node_modules/.cache/test-results/playwright.json' }]],
  use: {
    locale: 'en-US',
    timezoneId: 'America/Sao_Paulo',
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
    },
  },
})
