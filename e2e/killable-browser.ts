import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as after } from 'node:timers/promises'
import { chromium, type LaunchOptions, type Page } from '@playwright/test'

/**
 * A browser of its own process group, so that the whole of it can be killed in one moment, and its profile is opened
 * again afterwards.
 */
export class KillableBrowser {
  private readonly dir = mkdtempSync(join(tmpdir(), 'parley-killed-'))
  private process: ChildProcess | undefined
  /** What the page of this life printed. */
  printed: string[] = []

  constructor(private readonly options: LaunchOptions) {}

  async open(): Promise<Page> {
    this.printed = []
    const { executablePath = chromium.executablePath(), args = [] } = this.options
    const own = [
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${this.dir}`,
      '--no-first-run',
      '--password-store=basic',
    ]
    const child = spawn(executablePath, [...args, ...own, '--lang=en-US', '--window-size=1440,900', 'about:blank'], {
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, LANGUAGE: 'en_US' },
    })
    this.process = child
    const browser = await chromium.connectOverCDP(await addressOf(child))
    const [context] = browser.contexts()
    if (!context) throw new Error('the browser has no window')
    context.setDefaultTimeout(15_000)
    const page = context.pages()[0] ?? (await context.newPage())
    page
      .on('console', (message) => void this.printed.push(message.text()))
      .on('pageerror', (error) => void this.printed.push(String(error)))
    return page
  }

  async kill(): Promise<void> {
    const child = this.process
    this.process = undefined
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    process.kill(-child.pid, 'SIGKILL')
    await gone
  }

  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 })
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  if (!child.stderr) throw new Error('the browser says nothing')
  const lines = createInterface({ input: child.stderr })
  for await (const line of lines) {
    const [, address] = /DevTools listening on (ws:\S+)/.exec(line) ?? []
    if (address === undefined) continue
    // What it says later must not fill the pipe.
    child.stderr.resume()
    return address
  }
  throw new Error('the browser did not start')
}

/** Lets the action run for a while once it has begun; it may end before, or be in the middle of anything. */
export async function cutOff(
  browser: KillableBrowser,
  ms: number,
  action: (begin: () => void) => Promise<void>,
): Promise<void> {
  let begin = (): void => undefined
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const failed = action(begin).then(
    () => undefined,
    (error: unknown) => error,
  )
  const early = await Promise.race([begun.then(() => undefined), failed])
  if (early !== undefined) throw early
  await after(ms)
  await browser.kill()
  await failed
}
