// What can happen to a page in the middle of its work, at a step of that work: a call to the server, or a change of
// what is on the device.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BrowserContext,
  type CDPSession,
  chromium,
  type LaunchOptions,
  type Page,
  type Request,
  type Route,
} from '@playwright/test'
import type { ParleyServer } from './parley-server'

export type Kind = 'tab closed' | 'server killed' | 'network cut' | 'answer lost' | 'device full'
/**
 * It comes with the step of this number, counted from 0 when it is planned. `isAfter`: a call is cut off when the
 * server has it already.
 */
export type Fault = { kind: Kind; step: number; isAfter: boolean }

/** So much room is left on a full device for each step before it. */
const bytesPerStep = 20_000

/** Lists are asked for by what is on the screen as well, as often as it likes. */
const isWork = (request: Request): boolean =>
  request.method() !== 'GET' || new URL(request.url()).pathname !== '/api/channel'

/** A browser with a profile on the disk, whose pages get into trouble as planned. */
export class Trouble {
  private readonly dir = mkdtempSync(join(tmpdir(), 'parley-trouble-'))
  private context: BrowserContext | undefined
  private limit: CDPSession | undefined
  private planned: Fault | undefined
  private left = 0
  private isDown = false
  private tell: () => void = () => undefined

  constructor(
    private readonly server: ParleyServer,
    private readonly options: LaunchOptions,
  ) {}

  /** The app, in a page that has seen nothing yet. */
  async open(): Promise<Page> {
    const page = await this.blank()
    await page.goto(`${this.server.url}/app`)
    return page
  }

  /** `struck` resolves once it has happened, in the page that is answered. A device is full from the beginning. */
  async plan(fault: Fault, page: Page): Promise<{ page: Page; struck: Promise<void> }> {
    const struck = new Promise<void>((resolve) => {
      this.tell = resolve
    })
    if (fault.kind === 'device full') return { page: await this.openOnFullDevice(bytesPerStep * fault.step), struck }
    this.left = fault.step
    this.planned = fault
    return { page, struck }
  }

  /** Everything works again. */
  async heal(): Promise<void> {
    const { planned } = this
    this.planned = undefined
    this.isDown = false
    await this.limit?.detach()
    this.limit = undefined
    if (planned?.kind !== 'server killed') return
    await this.server.stop('SIGKILL')
    await this.server.launch()
  }

  async end(): Promise<void> {
    await this.context?.close()
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 })
  }

  private async blank(): Promise<Page> {
    this.context ??= await this.launch()
    const page = this.context.pages()[0] ?? (await this.context.newPage())
    await page.goto('about:blank')
    return page
  }

  private async launch(): Promise<BrowserContext> {
    const context = await chromium.launchPersistentContext(this.dir, {
      ...this.options,
      locale: 'en-US',
      viewport: { width: 1440, height: 900 },
      // Its offers to reload are no part of what happens here.
      serviceWorkers: 'block',
    })
    // A page that is closed in the middle of a call has nobody who waits for the answer.
    await context.route(/\/api\/(channel|chat)(\/|\?|$)/, (route) => this.meetCall(route).catch(() => undefined))
    await context.exposeBinding('noteWrite', ({ page }) => this.meetWrite(page))
    await context.addInitScript(noteWrites)
    return context
  }

  /** The browser asks for the free space now and then; a browser that has just started does not know it yet. */
  private async openOnFullDevice(room: number): Promise<Page> {
    await this.context?.close()
    this.context = undefined
    const page = await this.blank()
    const { origin } = new URL(this.server.url)
    this.limit = await page.context().newCDPSession(page)
    const { usage } = await this.limit.send('Storage.getUsageAndQuota', { origin })
    await this.limit.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: Math.ceil(usage) + room })
    await page.goto(`${this.server.url}/app`)
    return page
  }

  private async meetCall(route: Route): Promise<void> {
    if (this.isDown) return route.abort()
    const fault = isWork(route.request()) ? this.step() : undefined
    if (!fault) return route.continue()
    if (fault.kind === 'server killed') {
      // Whether it has acted by then is left to chance.
      const sent = route.continue()
      await Promise.all([this.server.stop('SIGKILL'), sent])
    } else {
      this.isDown = true
      if (fault.isAfter || fault.kind === 'answer lost') await route.fetch()
      await (fault.kind === 'tab closed' ? this.closeTab(route.request().frame().page()) : route.abort())
    }
    this.tell()
  }

  private async meetWrite(page: Page): Promise<void> {
    const fault = this.isDown ? undefined : this.step()
    if (!fault) return
    if (fault.kind === 'server killed') await this.server.stop('SIGKILL')
    else this.isDown = true
    if (fault.kind === 'tab closed') await this.closeTab(page)
    this.tell()
  }

  /** The window stays: with its last tab the browser would end. */
  private async closeTab(page: Page): Promise<void> {
    await page.context().newPage()
    await page.close()
  }

  private step(): Fault | undefined {
    return this.planned && this.left-- === 0 ? this.planned : undefined
  }
}

/** In the page, before its own scripts: tells of every transaction that changes messages. */
function noteWrites(): void {
  IDBDatabase.prototype.transaction = new Proxy(IDBDatabase.prototype.transaction, {
    apply(target, database, args: unknown[]) {
      const [stores, mode] = args
      if (mode === 'readwrite' && Array.isArray(stores) && stores.includes('runs'))
        Reflect.get(globalThis, 'noteWrite')()
      return Reflect.apply(target, database, args)
    },
  })
}
