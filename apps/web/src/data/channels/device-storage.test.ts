import { describe, expect, it } from 'vitest'
import { measureStorage } from './device-storage'

const storageOf = (usage: number, quota: number): StorageManager => ({
  estimate: async () => ({ usage, quota }),
  persisted: async () => true,
  persist: async () => true,
  getDirectory: () => Promise.reject(new Error('not used')),
})

describe('the storage of the device', () => {
  it('counts as nearly full from 80 % on', async () => {
    expect(await measureStorage(storageOf(79, 100))).toMatchObject({
      isNearlyFull: false,
      usedBytes: 79,
      quotaBytes: 100,
    })
    expect(await measureStorage(storageOf(80, 100))).toMatchObject({ isNearlyFull: true, isPersisted: true })
  })

  it('is unknown where the browser does not tell', async () => {
    expect(await measureStorage(undefined)).toBeUndefined()
    expect(await measureStorage(storageOf(0, 0))).toMatchObject({ isNearlyFull: false })
  })
})
