// Finds a Chromium for the browser tests, or installs one.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const places = {
  // The shell first: the same browser without the parts that draw windows and menus nobody sees; its pages open twice
  // as fast.
  linux: [
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/snap/bin/chromium',
  ],
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
}

/**
 * @returns {string | undefined} CHROMIUM_PATH, a Chromium or Chrome of the system, or the one that Playwright
 * installed.
 */
export function findChromium() {
  const candidates = [process.env.CHROMIUM_PATH, ...(places[process.platform] ?? []), chromium.executablePath()]
  return candidates.find((path) => path && existsSync(path))
}

/** Installs one when there is none: Playwright's own build, else the system's package where apt is at hand. */
export function ensureChromium() {
  const found = findChromium()
  if (found) return found
  console.log('No Chromium found: installing one for the browser tests.')
  const npx = process.platform === 'win32' ? 'npx.cmd' : 'npx'
  spawnSync(npx, ['playwright', 'install', 'chromium'], {
    stdio: 'inherit',
    timeout: 300_000,
    shell: process.platform === 'win32',
  })
  if (!findChromium() && process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    execFileSync('apt-get', ['update'], { stdio: 'inherit' })
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], { stdio: 'inherit' })
  }
  const installed = findChromium()
  if (!installed)
    throw new Error('No Chromium could be installed. Install Chromium or Chrome and set CHROMIUM_PATH to its program.')
  return installed
}
