import { isPage, pages, publicPages } from '@parley/contract/pages'
import type { FastifyInstance } from 'fastify'

/**
 * Where the public pages have a host of their own: there the app's addresses lead to the app's host, whose bare address
 * is the app.
 */
export function registerTwoHosts(
  app: FastifyInstance,
  { publicUrl, marketingUrl }: { publicUrl: string; marketingUrl: string },
): void {
  const marketingHost = new URL(marketingUrl).host
  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const isMarketing = request.host === marketingHost
    if (isMarketing && isPage(path)) return reply.redirect(`${publicUrl}${request.url}`, 302)
    if (!isMarketing && path === publicPages.home) return reply.redirect(pages.chat, 302)
  })
}
