// A tab that dies, closed or killed, is followed by one that finds the same device as it was left.
import 'fake-indexeddb/auto'
import type { Source } from '@parley/contract/sources'
import { expect, it, vi } from 'vitest'
import { startInPageReader } from '../../testing/in-page-reader'
import { LocalChannelStore } from '../channels/local-channel-store'
import { type Device, openAnonymousDevice } from '../local/device'
import { DeviceSourceStore } from './device-source-store'
import { listSources } from './device-sources'
import { aFile } from './source-store-suite'

/** What a tab has of the device until it dies: so many writes, and from then on nothing more. */
function dyingTab(device: Device, writes: number) {
  let left = writes
  let isDead = false
  const take = (isWrite: boolean): void => {
    if (isWrite && left-- <= 0) isDead = true
    if (isDead) throw new Error('this tab is dead')
  }
  const db = new Proxy(device.db, {
    get(target, key) {
      const value = Reflect.get(target, key)
      if (typeof value !== 'function') return value
      return (...args: unknown[]) => {
        take(['put', 'add', 'delete', 'clear'].includes(String(key)) || args[1] === 'readwrite')
        return Reflect.apply(value, target, args)
      }
    },
  })
  return { open: async (): Promise<Device> => ({ ...device, db }), isDead: () => isDead }
}

it('a file that is added when its tab dies is read by the next one, once, or has to be added again: at whichever write it dies', async () => {
  const device = await openAnonymousDevice()
  const open = async (): Promise<Device> => device
  const channels = new LocalChannelStore({ open })
  let deaths = 0
  for (let isWhole = false; !isWhole; ) {
    const before = await device.db.count('files')
    const { id } = await channels.create({ assistantId: null })
    const tab = dyingTab(device, deaths)
    const dead = new DeviceSourceStore({ open: tab.open, startReader: startInPageReader })
    await dead.addFile(id, aFile()).catch(() => undefined)
    await vi.waitFor(async () => {
      const [source] = await listSources(device, id)
      expect(tab.isDead() || source?.status === 'processed').toBe(true)
    })
    isWhole = !tab.isDead()
    if (!isWhole) deaths++

    const next = new DeviceSourceStore({ open, startReader: startInPageReader })
    await next.whenRead(id)
    const found = await next.list(id)
    if (found[0]?.status !== 'processed') {
      expect(found.map(({ reason }) => reason)).toEqual(found.length === 0 ? [] : ['source.upload-damaged'])
      expect(await next.addFile(id, aFile())).toMatchObject({ isKnown: false })
    }
    await next.whenRead(id)
    const all = await next.list(id)
    expect(all.map(({ status }) => status)).toEqual(['processed'])
    const source = all[0] as Source
    expect((await next.document(source)).blocks).toHaveLength(2)
    expect(await (await next.file(source)).text()).toBe(await aFile().text())
    // Its file, its text and its passages.
    expect(await device.db.count('files'), `death ${deaths}`).toBe(before + 3)
  }
  expect(deaths).toBeGreaterThan(4)
})
