import { expect, it } from 'vitest'
import { buildChatApp } from '../../testing/chat-setups'

it('lists the models of the gateway [ST-119]', async () => {
  const app = await buildChatApp({ kind: 'pglite', bus: 'memory' })
  const response = await app.call('/models')
  expect(response.status).toBe(200)
  const { data } = (await response.json()) as { data: { id: string; free: boolean }[] }
  expect(data.map(({ id, free }) => [id, free])).toEqual([
    ['meta-llama/llama-3.1-8b-instruct', false],
    ['stand-in/large', false],
    ['stand-in/gratis:free', true],
  ])
})
