import { createServer, type IncomingHttpHeaders } from 'node:http'

export type StandInCall = { method: string; url: URL; headers: IncomingHttpHeaders; body: string }
export type StandInAnswer = { status: number; json: unknown }

/** A foreign service's HTTP API on this machine. */
export async function startStandIn(
  answer: (call: StandInCall) => StandInAnswer | Promise<StandInAnswer>,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', async () => {
      const url = new URL(request.url ?? '/', 'http://stand-in')
      const { status, json } = await answer({
        method: request.method ?? '',
        url,
        headers: request.headers,
        body: Buffer.concat(parts).toString('utf8'),
      })
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the stand-in does not listen')
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
