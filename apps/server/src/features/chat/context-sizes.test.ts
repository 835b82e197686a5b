import { contextSizeOf } from '@parley/contract/context'
import { estimateTokens } from '@parley/contract/token-estimate'
import { describe, expect, it } from 'vitest'
import { databaseKind, databases } from '../../testing/build-test-app'
import { aMessage, anApp, cloudOf } from '../../testing/cloud-channels'
import { aPerson } from '../../testing/person'
import { sourceRules } from './source-prompt'

const said = (n: number, cost?: string) =>
  aMessage({
    chat_request: `Question ${n} ${'x'.repeat(n)}`,
    chat_response: { role: 'assistant', content: `Answer ${n}` },
    ...(cost === undefined ? {} : { usage: { inputTokens: 1, outputTokens: 1, cost } }),
  })

describe.each(databases)('what a client is told of a chat’s length on %s', (kind) => {
  it('is how long each exchange before a message is, which are pinned, and what all have cost', async () => {
    const { ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const messages = [said(1, '1500'), said(2), said(3, '7'), said(4)]
    await cloud.fill(id, messages)
    const [one, two, three] = messages
    expect((await ana.send('PUT', `/api/chat/${id}/messages/${one?.mId}/pin`, { isPinned: true })).status).toBe(204)
    const { body } = await ana.send('GET', `/api/channel/${id}/context-size?before=${three?.mId}`)
    const tokensOf = (message: typeof one): number =>
      contextSizeOf([
        { role: 'user', content: message?.chat_request ?? '' },
        { role: 'assistant', content: message?.chat_response.content ?? '' },
      ]).tokens
    expect(body).toEqual({
      exchanges: [
        { mId: one?.mId, runId: one?.mId, tokens: tokensOf(one), isPinned: true },
        { mId: two?.mId, runId: two?.mId, tokens: tokensOf(two) },
      ],
    })
    expect((await ana.send('GET', `/api/channel/${id}/cost`)).body).toEqual({ cost: '1507' })
  })

  it('is nobody else’s to know, and not found before a message that is not there', async () => {
    const { app, ana, cloud } = await anApp(kind)
    const { id } = await cloud.create()
    const message = said(1, '5')
    await cloud.fill(id, [message])
    const bruno = await aPerson(app, 'bruno@example.org')
    const own = await cloudOf(bruno).create()
    for (const path of ['cost', `context-size?before=${message.mId}`]) {
      expect((await bruno.send('GET', `/api/channel/${id}/${path}`)).status).toBe(404)
      expect((await fetch(`${app.url}/api/channel/${id}/${path}`)).status).toBe(401)
    }
    // A message of another channel is no way in.
    expect((await bruno.send('GET', `/api/channel/${own.id}/context-size?before=${message.mId}`)).status).toBe(404)
    expect((await ana.send('GET', `/api/channel/${id}/context-size?before=gone`)).status).toBe(404)
  })
})

it('the length of the instructions is told to everybody, and of an agent that is not theirs only the general ones', async () => {
  const { app } = await anApp(databaseKind)
  const sizeOf = async (query: string): Promise<{ tokens: number; ofSources: number }> => {
    const response = await app.call(`/api/chat/instructions-size?language=en-US${query}`)
    expect(response.status).toBe(200)
    return (await response.json()) as { tokens: number; ofSources: number }
  }
  const tokensOf = async (query: string): Promise<number> => (await sizeOf(query)).tokens
  const general = await tokensOf('')
  expect(general).toBeGreaterThan(20)
  expect(await tokensOf('&assistantId=nobody')).toBe(general)
  // The rules for sources go along only where there are some.
  const { ofSources } = await sizeOf('')
  expect(ofSources).toBeGreaterThanOrEqual(Math.floor(estimateTokens(sourceRules)))
  expect(ofSources).toBeLessThan(estimateTokens(sourceRules) + 20)
})
