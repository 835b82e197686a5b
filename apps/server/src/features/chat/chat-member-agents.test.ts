import { expect, it } from 'vitest'
import { aDraft, anAgent, secretPrompt } from '../../testing/agent-drafts'
import { databases } from '../../testing/build-test-app'
import { aSharedChat } from '../../testing/shared-chat'

it.each(databases)(
  'a private agent answers its owner in a channel that others share, and those others never, on %s',
  async (kind) => {
    const { app, ana, bruno, sockets, ask, readBy } = await aSharedChat({ kind, bus: 'memory' })
    const agent = await anAgent(ana, { defaultGreetings: 'CANARY-GREETING' })
    const asked = { assistantId: agent._id }
    await sockets.bruno.untilEvent('end', ask(sockets.bruno, 'While it is public', asked))
    await ana.post('/v1/assistants', aDraft({ _id: agent._id, private: true }))
    await sockets.ana.untilEvent('end', ask(sockets.ana, 'Mine still', asked))
    expect(app.gateway.requests.at(-1)?.body.messages[0]?.content).toContain(secretPrompt)
    const questions = app.gateway.requests.length
    const refused = await sockets.bruno.untilEvent('error', ask(sockets.bruno, 'Not any more', asked))
    expect(refused).toMatchObject({ code: 'agent.unavailable', content: 'This assistant is no longer available.' })
    expect(app.gateway.requests).toHaveLength(questions)
    // What was said is there for everybody in the channel, and names the agent by its id alone.
    const read = await readBy(bruno)
    expect(read.map(({ chat_request, assistantId }) => [chat_request, assistantId])).toEqual([
      ['While it is public', agent._id],
      ['Mine still', agent._id],
    ])
    expect((await bruno.send('GET', `/v1/assistant?assistant_id=${agent._id}`)).status).toBe(403)
    for (const seen of [read, sockets.bruno.frames]) expect(JSON.stringify(seen)).not.toMatch(/CANARY|Lighthouse/)
  },
)
