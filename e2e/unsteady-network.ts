import { connect, createServer, type Server, type Socket } from 'node:net'

/**
 * A network in front of a server that can lose its WebSockets, or everything, at any moment. Speaks plain TCP: the
 * bytes pass unchanged.
 */
export class UnsteadyNetwork {
  private readonly all = new Set<Socket>()
  private readonly webSockets = new Set<Socket>()
  private isDown = false
  /** The port of the server behind it. */
  target = 0

  private constructor(
    private readonly server: Server,
    private readonly port: number,
  ) {}

  static async start(): Promise<UnsteadyNetwork> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const network = new UnsteadyNetwork(server, address.port)
    server.on('connection', (client) => network.join(client))
    return network
  }

  /** What people open. */
  get url(): string {
    return `http://localhost:${this.port}`
  }

  private join(client: Socket): void {
    if (this.isDown) {
      client.destroy()
      return
    }
    const upstream = connect(this.target, '127.0.0.1')
    const forget = (): void => {
      this.all.delete(client)
      this.webSockets.delete(client)
      client.destroy()
      upstream.destroy()
    }
    this.all.add(client)
    client.once('data', (head) => {
      if (/^upgrade: websocket/im.test(head.toString('latin1'))) this.webSockets.add(client)
    })
    client.pipe(upstream)
    upstream.pipe(client)
    for (const socket of [client, upstream]) socket.on('error', forget).on('close', forget)
  }

  cutWebSockets(): void {
    for (const socket of this.webSockets) socket.destroy()
  }

  goDown(): void {
    this.isDown = true
    for (const socket of this.all) socket.destroy()
  }

  comeBack(): void {
    this.isDown = false
  }

  async close(): Promise<void> {
    this.goDown()
    await new Promise((resolve) => this.server.close(resolve))
  }
}
