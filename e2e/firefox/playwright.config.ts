import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from '@playwright/test'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** npm run e2e:firefox: the main journeys in the system's Firefox. */
export default defineConfig({
  testDir: '.',
  testMatch: '*.firefox.ts',
  globalSetup: at('../make-template.ts'),
  outputDir: at('../../node_modules/.cache/playwright-firefox'),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  workers: 1,
  reporter: 'list',
  use: {
    browserName: 'firefox',
    // Of the system: Playwright's own build has other patches.
    channel: 'moz-firefox',
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: at('browser.mjs'),
      env: { ...process.env, HOME: homedir() } as Record<string, string>,
    },
  },
})
