import { AppError } from '@parley/contract/errors'
import { beforeEach, expect, it, vi } from 'vitest'
import { tryToUnlock } from './unlock-tries'

beforeEach(() => localStorage.clear())

const wrong = async () => {
  throw new AppError('vault.wrong-passphrase')
}

it('lets wrong passphrases wait longer each time, also after a reload and in another tab', async () => {
  let now = 1_000_000
  const clock = () => now
  const waits: number[] = []
  for (let n = 0; n < 12; n++) {
    await expect(tryToUnlock('v', wrong, clock)).rejects.toMatchObject({ code: 'vault.wrong-passphrase' })
    const unlock = vi.fn(wrong)
    const refused = await tryToUnlock('v', unlock, clock).catch((error: unknown) => error)
    if (n < 2) expect(unlock).toHaveBeenCalledOnce()
    else expect(unlock).not.toHaveBeenCalled()
    if (n < 2) {
      n++
      continue
    }
    const seconds = refused instanceof AppError ? (refused.retryAfter ?? 0) : 0
    waits.push(seconds)
    now += seconds * 1_000
  }
  expect(waits).toEqual(waits.toSorted((a, b) => a - b))
  expect(waits.at(-1)).toBe(300)
  await expect(tryToUnlock('other', wrong, clock)).rejects.toMatchObject({ code: 'vault.wrong-passphrase' })
})

it('forgets the wrong tries once the right one was found, and keeps nobody out when the clock is put back', async () => {
  for (let n = 0; n < 3; n++) await tryToUnlock('v', wrong, () => 1_000_000).catch(() => undefined)
  await tryToUnlock(
    'v',
    async () => undefined,
    () => 1_002_000,
  )
  await expect(tryToUnlock('v', wrong, () => 1_002_000)).rejects.toMatchObject({ code: 'vault.wrong-passphrase' })
  for (let n = 0; n < 3; n++) await tryToUnlock('v', wrong, () => 9e15).catch(() => undefined)
  await expect(tryToUnlock('v', wrong, () => 0)).rejects.toMatchObject({
    code: 'vault.too-many-tries',
    retryAfter: 300,
  })
})
