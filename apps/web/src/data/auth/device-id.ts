import { uuidv7 } from '@parley/contract/uuid'
import { openDatabase } from '../local/database'

/**
 * A random id of this browser, sent with a sign-in so that the server can keep a vault key for this account on this
 * device. It stays after the sign-out.
 */
export async function deviceId(): Promise<string> {
  const db = await openDatabase()
  try {
    const tx = db.transaction('meta', 'readwrite', { durability: 'strict' })
    const known = await tx.store.get('device')
    const id = known?.value ?? uuidv7()
    if (!known) await tx.store.put({ id: 'device', value: id })
    await tx.done
    return id
  } finally {
    db.close()
  }
}
