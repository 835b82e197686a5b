import { describe, expect, it } from 'vitest'
import { answersIn, type ChatClient, inOrder, textOf } from '../../testing/chat-client'
import { busSetups } from '../../testing/chat-setups'
import { words } from '../../testing/gateway-scenarios'
import { aPerson } from '../../testing/person'
import { aSharedChat } from '../../testing/shared-chat'

/** Takes up the answer that this socket was told of. */
async function follow(client: ChatClient, messageId: string): Promise<void> {
  await client.untilEvent('answer-begun', messageId)
  client.send({ event: 'resume', messageId, afterSeq: 0 })
}

const shownTo = (client: ChatClient, messageId: string) => textOf(inOrder(client.frames, messageId))

describe.each(busSetups)('an answer in a shared channel, on two nodes, on $kind and $bus', (setup) => {
  it('is followed as it is written by the members, and by the other devices of whoever asked', async () => {
    const { app, bruno, sockets, connect, ask } = await aSharedChat(setup, { nodes: 2 })
    app.gateway.next({ text: words(200), holdAfter: 300 })
    const brunosPhone = await connect(bruno)
    const id = ask(sockets.bruno, 'For all to see?')
    const watching = [sockets.ana, sockets.rita, brunosPhone]
    await Promise.all(watching.map((client) => follow(client, id)))
    // In the middle of it, not when it is over.
    await Promise.all(watching.map((client) => client.untilText('word20 ')))
    expect(sockets.bruno.frames.some(({ event }) => event === 'end')).toBe(false)
    app.gateway.release()
    await Promise.all(watching.map((client) => client.untilEvent('end', id)))
    for (const client of watching) expect(shownTo(client, id)).toBe(words(200))
    expect(app.gateway.requests).toHaveLength(1)
  })

  it('is stopped by the owner of the channel, but by no member who did not ask', async () => {
    const { app, sockets, ask, readBy, ana } = await aSharedChat(setup, { nodes: 2 })
    app.gateway.next({ text: words(2_000), tokensPerSecond: 100 })
    const id = ask(sockets.bruno, 'Who may stop this?')
    await Promise.all([sockets.ana, sockets.rita].map((client) => follow(client, id)))
    await sockets.rita.untilText('word3 ')
    sockets.rita.send({ event: 'stop-message', messageId: id })
    await sockets.rita.untilText('word40 ')
    sockets.ana.send({ event: 'stop-message', messageId: id })
    for (const client of Object.values(sockets)) await client.untilEvent('stopped', id)
    await expect.poll(async () => (await readBy(ana))[0]?.status).toBe('stopped')
    // To an answer of the owner the same holds.
    app.gateway.next({ text: words(60), tokensPerSecond: 100 })
    const second = ask(sockets.ana, 'And this?')
    await follow(sockets.bruno, second)
    sockets.bruno.send({ event: 'stop-message', messageId: second })
    await sockets.bruno.untilEvent('end', second)
  })

  it('is unknown to strangers, to whoever was put out, and to all once its message is deleted', async () => {
    const { app, other, sockets, connect, rita, ana, bruno, ask, remove, channelId } = await aSharedChat(setup, {
      nodes: 2,
    })
    const stranger = await connect(await aPerson(app, 'stranger@example.org'), other)
    app.gateway.next({ text: words(2_000), tokensPerSecond: 100 })
    const id = ask(sockets.ana, 'Among ourselves?')
    await follow(sockets.rita, id)
    stranger.send({ event: 'resume', messageId: id, afterSeq: 0 })
    stranger.send({ event: 'stop-message', messageId: id })
    expect(await stranger.untilEvent('error', id)).toMatchObject({ code: 'chat.answer-gone' })
    await sockets.rita.untilText('word10 ')
    await remove(rita)
    await sockets.rita.untilEvent('channel-left')
    const leftAt = sockets.rita.frames.findIndex(({ event }) => event === 'channel-left')
    await follow(sockets.bruno, id)
    await sockets.bruno.untilText('word40 ')
    expect(answersIn(sockets.rita.frames.slice(leftAt + 1))).toEqual([])
    expect(answersIn(stranger.frames)).toHaveLength(1)

    expect((await ana.send('DELETE', `/api/chat/${id}?channelId=${channelId}`)).status).toBe(204)
    await sockets.bruno.untilEvent('stopped', id)
    const later = await connect(bruno)
    later.send({ event: 'resume', messageId: id, afterSeq: 0 })
    expect(await later.untilEvent('error', id)).toMatchObject({ code: 'chat.answer-gone' })
  })
})
