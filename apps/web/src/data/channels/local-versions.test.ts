import 'fake-indexeddb/auto'
import '../../testing/browser-gaps'
import { beforeEach } from 'vitest'
import { seedSession } from '../../testing/seed-session'
import { openDevice } from '../vault/open-device'
import { LocalChannelStore } from './local-channel-store'
import { describeVersions } from './version-suite'

beforeEach(async () => {
  localStorage.clear()
  await seedSession()
})

describeVersions('this device', async () => {
  const { db } = await openDevice()
  for (const name of db.objectStoreNames) if (name !== 'meta') await db.clear(name)
  return new LocalChannelStore({ open: openDevice })
})
