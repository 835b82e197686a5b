import { describe, expect, it } from 'vitest'
import {
  aLockedVault,
  anAccountVault,
  anAnonymousVault,
  answersOf,
  expectedOf,
  type OldVault,
} from '../../testing/vaults/old-vaults'
import { convertMessages } from '../local/convert-messages'
import type { Device } from '../local/device'
import { isOldForm } from '../local/readable'
import { LocalChannelStore } from './local-channel-store'

/** The vaults of version 2 of the database, in whatever browser this runs. */
export function describeOldVaults(browser: string): void {
  describe(`a vault of the version before, in ${browser}`, () => {
    it('of an anonymous person shows every message, order, author and cost as before, at once and when converted', async () => {
      await provesEqual(await anAnonymousVault())
    })

    it('of an account does so', async () => {
      await provesEqual(await anAccountVault())
    })

    it('that is locked is left alone until its passphrase opens it, and does so then', async () => {
      const { file, open, unlock } = await aLockedVault()
      await expect(convertMessages(open)).rejects.toMatchObject({ code: 'vault.locked' })
      const device = await unlock()
      await provesEqual({ file, open: async () => device })
    })

    it('keeps what cannot be read, or is of a later version, byte for byte', async () => {
      const { open } = await anAnonymousVault()
      const device = await open()
      const unreadable = (await device.db.getAll('exchanges')).filter(
        ({ channelId, position }) => channelId === 'damaged' && [2, 4, 6].includes(position),
      )
      expect(unreadable).toHaveLength(3)
      await convertMessages(async () => device)
      for (const record of unreadable)
        expect(await device.db.get('exchanges', [record.chatId, record.position])).toEqual(record)
      expect((await device.db.getAll('exchanges')).filter(isOldForm)).toEqual(unreadable)
      device.db.close()
    })

    it('has each question after the answer that stood before it', async () => {
      const { open } = await anAnonymousVault()
      const device = await open()
      const store = new LocalChannelStore({ open: async () => device })
      const before = (await store.readWhole('every-kind'))?.exchanges ?? []
      await convertMessages(async () => device)
      for (const id of ['every-kind', 'long', 'with-gaps']) {
        const { exchanges = [] } = (await store.readWhole(id)) ?? {}
        const shown = exchanges.map(({ runs }) => runs.at(-1)?.id ?? null)
        expect(exchanges.map(({ exchange }) => exchange.afterRunId)).toEqual([null, ...shown.slice(0, -1)])
        expect(new Set(exchanges.flatMap(({ runs }) => runs.map((run) => run.id))).size).toBe(
          exchanges.reduce((sum, { runs }) => sum + runs.length, 0),
        )
      }
      const after = (await store.readWhole('every-kind'))?.exchanges ?? []
      expect(after.map(({ exchange }) => exchange.id)).toEqual(before.map(({ exchange }) => exchange.id))
      // A continued, a regenerated, a restored and a waiting answer have the one of before as a run.
      expect(after.map(({ runs }) => runs.length)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 1, 2, 2, 1, 1, 1, 1, 1])
      device.db.close()
    })
  })
}

async function provesEqual({ file, open }: OldVault): Promise<void> {
  const device = await open()
  expect(await answersOf(device)).toEqual(expectedOf(file, { isConverted: false }))
  await convertMessages(async () => device)
  expect(await answersOf(device)).toEqual(expectedOf(file, { isConverted: true }))
  expect(await oldFormsIn(device)).toBe(3)
  device.db.close()
}

export const oldFormsIn = async ({ db }: Device): Promise<number> =>
  (await db.getAll('exchanges')).filter(isOldForm).length
