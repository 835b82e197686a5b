import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { pdfFiles } from './apps/web/pdf-files.ts'
import { bundleWorkers } from './scripts/bundle-workers.mjs'
import { findChromium } from './scripts/chromium.mjs'

const chromium = findChromium()

const programs = fileURLToPath(new URL('scripts/bundle-for-tests.mjs', import.meta.url))
const sharedDatabases = fileURLToPath(new URL('apps/server/src/testing/shared-databases.ts', import.meta.url))

/** More than there are processors: a good part of many a file is waiting, for the database, a process or a timer. */
const maxWorkers = availableParallelism() * 2

/** What is waited for comes in its own time, which on a busy machine may be ten times that of an idle one. */
const waitMs = 20_000
const expectSettings = { poll: { timeout: waitMs } }

/**
 * What random tests begin with: the same for each run, so that a change is judged by the cases that the one before it
 * was judged by. `RUN_SEED=random` looks for others, `RUN_SEED=n` takes those of a seed again, which whatever fails
 * names.
 */
const runSeed = process.env.RUN_SEED === 'random' ? randomInt(2 ** 31) : Number(process.env.RUN_SEED ?? 1)

declare module 'vitest' {
  interface ProvidedContext {
    runSeed: number
    /** Random tests run in their full size. */
    isDeep: boolean
    /** How long a test waits for something that it names no time for. */
    waitMs: number
  }
}

/** What differs between PostgreSQL and the embedded engine: one connection, its start and end, its extensions, locks. */
const embeddedSuites = [
  'db/client',
  'db/embedded',
  'db/scheduler',
  'features/messages/message-search',
  'features/messages/run-backfill',
  'features/messages/run-migration',
  'features/messages/run-mirror',
  'features/credits/holds',
  'features/credits/ledger',
  'features/chat/chat-restart',
  'features/sources/vectors',
].map((suite) => `src/${suite}.test.ts`)
const hasPostgresql = Boolean(process.env.TEST_DATABASE_URL)

/**
 * The short suite, which scripts/test.mjs chooses where there is no PostgreSQL: of the server what stands below its
 * features, and what the embedded engine does otherwise; inside Chromium what is drawn and what the vault keeps.
 */
const isShort = process.env.TEST_SUITE === 'short'
const shortServerSuites = ['src/*.test.ts', 'src/{content,plugins,providers}/**/*.test.ts', 'src/db/lock-file.test.ts']
const shortBrowserSuites = ['src/{ui,features}/**', 'src/data/{auth,channels,chat,search}/**'].map(
  (folder) => `${folder}/*.browser.test.{ts,tsx}`,
)
const longSuites = ['hostile', 'ocr', 'data/chat/step', 'data/channels/old-vaults'].map(
  (suite) => `src/${suite}.test.ts`,
)
const excluded = isShort ? longSuites : []

/**
 * As with the journeys: where `CI` is set, what fails runs once more, and is named as unsteady by scripts/test.mjs when
 * it passes then.
 */
const retry = process.env.CI ? 1 : 0

/** Of every project. */
const seeded = {
  retry,
  provide: { runSeed, isDeep: process.env.TEST_DEPTH === 'deep', waitMs },
  setupFiles: ['run-seed', 'wait-for'].map((name) => fileURLToPath(new URL(`scripts/${name}.mjs`, import.meta.url))),
}

/** pdf.js lets some of what it finds in damaged files go unhandled, beside the failure that it tells. */
const ofDamagedPdfs = new Set(['FormatError', 'XRefEntryException'])

export default defineConfig({
  test: {
    onUnhandledError: ({ name }) => !ofDamagedPdfs.has(name),
    projects: [
      // No module of it has a state: those of a worker are shared by its files, which takes half the time.
      {
        test: {
          ...seeded,
          name: 'contract',
          maxWorkers,
          isolate: false,
          root: 'packages/contract',
          include: ['src/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...seeded,
          name: 'pdf',
          maxWorkers,
          root: 'packages/pdf',
          include: ['src/**/*.test.ts'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          ...seeded,
          name: 'reader',
          maxWorkers,
          root: 'packages/reader',
          include: ['src/**/*.test.ts'],
          exclude: excluded,
          testTimeout: 60_000,
        },
      },
      // Modules and databases of a worker are shared by its files: starting them takes longer than most tests.
      {
        test: {
          ...seeded,
          name: 'server',
          maxWorkers,
          isolate: false,
          globalSetup: [sharedDatabases, programs],
          root: 'apps/server',
          include: isShort ? [...shortServerSuites, ...embeddedSuites] : ['src/**/*.test.ts'],
          exclude: hasPostgresql ? ['src/db/embedded.test.ts'] : [],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          expect: expectSettings,
        },
      },
      // The server project runs on PostgreSQL where TEST_DATABASE_URL is set; then what differs between the engines
      // runs on the embedded one too.
      ...(hasPostgresql
        ? [
            {
              test: {
                ...seeded,
                name: 'embedded',
                maxWorkers,
                isolate: false,
                globalSetup: [sharedDatabases, programs],
                root: 'apps/server',
                include: embeddedSuites,
                env: { TEST_DATABASE_URL: '' },
                testTimeout: 60_000,
                hookTimeout: 60_000,
                expect: expectSettings,
              },
            },
          ]
        : []),
      // The web app's cloud store against the server itself.
      ...(isShort
        ? []
        : [
            {
              test: {
                ...seeded,
                name: 'homes',
                maxWorkers,
                root: 'e2e',
                include: ['*.test.ts'],
                globalSetup: [sharedDatabases, programs],
                testTimeout: 60_000,
                hookTimeout: 60_000,
                expect: expectSettings,
              },
            },
          ]),
      // Libraries of a worker are shared by its files, pages and the app's modules are not (own-page.ts).
      {
        test: {
          ...seeded,
          name: 'web',
          setupFiles: [
            ...seeded.setupFiles,
            fileURLToPath(new URL('apps/web/src/testing/end-timers.ts', import.meta.url)),
            fileURLToPath(new URL('apps/web/src/testing/own-page.ts', import.meta.url)),
          ],
          maxWorkers,
          isolate: false,
          root: 'apps/web',
          globalSetup: [fileURLToPath(new URL('scripts/bundle-happy-dom.mjs', import.meta.url))],
          environment: fileURLToPath(new URL('apps/web/src/testing/happy-dom-environment.ts', import.meta.url)),
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: ['src/**/*.browser.test.{ts,tsx}', ...excluded],
          testTimeout: 60_000,
          expect: expectSettings,
        },
      },
      {
        plugins: [bundleWorkers(), pdfFiles()],
        // As in apps/web/vite.config.ts: the build for browsers writes to innerHTML.
        resolve: {
          alias: {
            'decode-named-character-reference': fileURLToPath(import.meta.resolve('decode-named-character-reference')),
          },
        },
        // The highlighter's worker is not scanned; what is found only while it runs would reload the page under test.
        optimizeDeps: {
          entries: ['src/**/*.browser.test.{ts,tsx}', 'src/**/*-worker.ts'],
          include: ['react-dom/client'],
        },
        test: {
          ...seeded,
          name: 'browser',
          // After the others: the browser and two workers would be three on two processors. Then it has them to itself.
          sequence: { groupOrder: 1 },
          maxWorkers: availableParallelism(),
          root: 'apps/web',
          include: isShort ? shortBrowserSuites : ['src/**/*.browser.test.{ts,tsx}'],
          testTimeout: 60_000,
          expect: expectSettings,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            // Without motion: a box is measured where it stands, not on its way there.
            provider: playwright({
              launchOptions: {
                ...(chromium ? { executablePath: chromium } : {}),
                args: [
                  '--no-sandbox',
                  '--disable-quic',
                  '--disable-background-networking',
                  // As the journeys (playwright.config.ts).
                  '--disable-gpu',
                  '--in-process-gpu',
                  '--force-prefers-reduced-motion',
                ],
              },
            }),
            instances: [{ browser: 'chromium' }],
          },
        },
      },
    ],
  },
})
