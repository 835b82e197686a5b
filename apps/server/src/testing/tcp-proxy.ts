import { connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface TcpProxy {
  port: number
  /** Breaks every connection and refuses new ones. */
  cut(): void
  /** Takes what is sent and passes nothing on, in either direction: the connections stay open and no answer comes. */
  stall(): void
  mend(): void
  /** New connections lead there; those that are open stay where they are. */
  reroute(target: Target): void
}

type Target = { host: string; port: number }

/** A wire that can be cut, stalled and mended. */
export async function startTcpProxy(first: Target): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let target = first
  let state: 'whole' | 'cut' | 'stalled' = 'whole'
  const server = createServer((near) => {
    if (state === 'cut') return near.destroy()
    const far = connect(target.port, target.host)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket)
          other.destroy()
        })
        .on('data', (bytes) => {
          if (state === 'whole') other.write(bytes)
        })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = (): void => {
    state = 'cut'
    for (const socket of sockets) socket.destroy()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy does not listen')
  return {
    port: address.port,
    cut,
    stall: () => {
      state = 'stalled'
    },
    mend: () => {
      state = 'whole'
    },
    reroute: (other) => {
      target = other
    },
  }
}
