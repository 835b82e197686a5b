import { uuidv7 } from '@parley/contract/uuid'
import { expect, it } from 'vitest'
import { Visitor } from '../../testing/chat-client'
import { buildChatApp } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { Client, goodPassword } from '../../testing/person'
import { insertAccount } from './account-store'
import { argonPasswords } from './passwords'

it('an answer of somebody else goes on while fifty people sign in, and does not wait for them', async () => {
  const app = await buildChatApp(undefined, { env: { RATE_LIMIT_SCALE: '0' } })
  const passwordHash = await argonPasswords.hash(goodPassword)
  const emails = Array.from({ length: 50 }, (_, n) => `p${n}@example.org`)
  for (const email of emails) await insertAccount(app.db, { id: uuidv7(), kind: 'email', email, passwordHash })
  app.gateway.next({ text: words(200), holdAfter: 300 })
  const client = await new Visitor().connect(app)
  const id = client.ask('Keep going.')
  await client.untilText('word20')
  let signedIn = 0
  const logins = emails.map((email) => new Client(app).login(email).then(() => signedIn++))
  await Promise.race(logins)
  app.gateway.release()
  await client.untilEvent('end', id)
  expect(signedIn).toBeLessThan(emails.length)
  await Promise.all(logins)
})
