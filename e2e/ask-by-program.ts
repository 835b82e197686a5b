import { on, once } from 'node:events'
import { uuidv7 } from '@parley/contract/uuid'
import { WebSocket } from 'ws'
import type { ParleyServer } from './parley-server'

/**
 * A program of this person asks in a cloud channel, and waits for the end of the answer. `afterRunId`: begins a branch
 * there. Answers the id of the question and of its run.
 */
export async function askByProgram(
  server: ParleyServer,
  token: string,
  channelId: string,
  question: string,
  afterRunId?: string,
): Promise<string> {
  const messageId = uuidv7()
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/ws/chat`, {
    headers: { authorization: `Bearer ${token}` },
  })
  try {
    await once(socket, 'open')
    const body = { question, channelId, messageId, lastMessages: [], storageMode: 'cloud', afterRunId }
    socket.send(JSON.stringify({ route: 'createChatMessage', body }))
    for await (const [data] of on(socket, 'message')) if (JSON.parse(String(data)).event === 'end') break
  } finally {
    socket.terminate()
  }
  return messageId
}
