import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    origins: Origins
  }
}

type Origins = {
  /** Where this server's own pages come from. */
  own(): string[]
  isOwn(origin: string): boolean
}

/**
 * The origins whose pages may use this server: PUBLIC_URL's, and without one every loopback name of the port it listens
 * on.
 */
export function registerOrigins(app: FastifyInstance, options: { publicUrl: string; isDefault: boolean }): void {
  const own = (): string[] => {
    if (!options.isDefault) return [new URL(options.publicUrl).origin]
    // Asked for when it is used: with port 0 the real one is known only once the server listens.
    const address = app.server.address()
    const port =
      typeof address === 'object' && address !== null ? String(address.port) : new URL(options.publicUrl).port
    return ['localhost', '127.0.0.1', '[::1]'].map((host) => new URL(`http://${host}:${port}`).origin)
  }
  app.decorate('origins', { own, isOwn: (origin) => own().includes(origin) })
}
