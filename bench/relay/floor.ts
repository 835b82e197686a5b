// The floor: what a relay costs that does nothing but relay. One upstream call for a question, one frame for a token;
// it numbers, keeps, checks and limits nothing.
import { Agent, fetch } from 'undici'
import { WebSocketServer } from 'ws'

const [upstream = ''] = process.argv.slice(2)
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false })

server.on('connection', (socket) => {
  let calls = new AbortController()
  socket.on('message', async (data) => {
    const { question, event } = JSON.parse(String(data))
    if (event === 'stop-message') return calls.abort()
    calls = new AbortController()
    const response = await fetch(`${upstream}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'm', stream: true, messages: [{ role: 'user', content: question }] }),
      dispatcher: agent,
      signal: calls.signal,
    })
    const decoder = new TextDecoder()
    let rest = ''
    for await (const bytes of stoppable(response.body ?? [])) {
      const events = (rest + decoder.decode(bytes, { stream: true })).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const json = event.slice(6)
        if (json === '[DONE]') socket.send('{"event":"end"}')
        else {
          const content = JSON.parse(json).choices[0]?.delta?.content
          if (content) socket.send(JSON.stringify({ event: 'content', content }))
        }
      }
    }
  })
})
/** Ends quietly when the call is aborted. */
async function* stoppable(body: AsyncIterable<Uint8Array> | Uint8Array[]): AsyncIterable<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
  }
}

server.on('listening', () => {
  const address = server.address()
  if (typeof address === 'object' && address !== null)
    process.stdout.write(`listening ws://127.0.0.1:${address.port}\n`)
})
