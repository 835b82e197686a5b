// npm run e2e -- [Playwright options]: the browser journeys alone. npm run e2e:kills: the one that kills the browser fifty times, which the tests leave out.
import { ensureChromium } from './chromium.mjs'
import { run, runBin } from './run.mjs'

process.env.CHROMIUM_PATH = ensureChromium()
const options = process.argv.slice(2).filter((option) => option !== '--with-kills')
if (options.length < process.argv.length - 2) {
  process.env.WITH_KILLS = '1'
  if (options.length === 0) options.push('kills')
}
const built = await run(process.execPath, ['scripts/build.mjs'], { shell: false })
process.exit(built === 0 ? await runBin('@playwright/test/cli.js', ['test', ...options]) : built)
