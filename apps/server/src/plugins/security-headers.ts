import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'

/**
 * Headers of every answer. The policy allows the app's own files and nothing else: no inline code, no eval, no other
 * host.
 */
export async function registerSecurityHeaders(app: FastifyInstance, options: { isHttps: boolean }): Promise<void> {
  // Named beside 'self', which not every browser extends to sockets.
  const sockets = (): string =>
    app.origins
      .own()
      // A policy cannot name an IPv6 address; 'self' covers whoever uses one.
      .filter((origin) => !origin.includes('['))
      .map((origin) => origin.replace(/^http/, 'ws'))
      .join(' ')

  await app.register(helmet, {
    global: true,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        // Compiling WebAssembly: the vault's passphrase is hashed in it.
        'script-src': ["'self'", "'wasm-unsafe-eval'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'blob:', 'data:'],
        'font-src': ["'self'"],
        'connect-src': ["'self'", sockets],
        'worker-src': ["'self'", 'blob:'],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        'require-trusted-types-for': ["'script'"],
        'trusted-types': ['parley'],
      },
    },
    // Google's page opens in a popup and answers this one.
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    // Chromium separates origins by default. With this header it discards the process that it started with the request
    // and starts another one when the response arrives, which delays the first paint.
    originAgentCluster: false,
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    strictTransportSecurity: options.isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  })

  app.addHook('onRequest', async (_request, reply) => {
    reply.header(
      'permissions-policy',
      'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
    )
  })
}
