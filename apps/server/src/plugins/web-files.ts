import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { isPage, pages, publicPages, shareTarget } from '@parley/contract/pages'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { registerAppPage } from './app-page'
import { sendNotFound } from './errors'
import { firstVisitPages } from './first-visit'
import { registerSitePages, type SiteEnv } from './site-pages'
import { madeOfFile, type StoredPage, sendStored, storedPage } from './stored-page'

/** Of use to what a browser runs: on each of a page's other files they would be a kilobyte for nothing. */
const pageHeaders = [
  'content-security-policy',
  'permissions-policy',
  'cross-origin-opener-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]
/** A worker has its own policy, an image that is opened by itself is a page. */
const runsAlone = /worker|\.(?:html|svg)(?:\.br|\.gz)?$/

type Options = { root: string; env: SiteEnv; version: string }

/**
 * Serves the built app: hashed files for ever, everything else asked for anew. Without a build the server has its API
 * only.
 */
export async function registerWebFiles(app: FastifyInstance, options: Options): Promise<void> {
  const appFile = join(options.root, 'index.html')
  const isBuilt = existsSync(appFile)
  // In memory: it is the first thing that whoever opens the app waits for.
  const appPage = isBuilt ? madeOfFile(appFile, (text) => storedPage(text)) : undefined
  const firstVisits = firstVisitPages(options.root)
  if (isBuilt) {
    await app.register(fastifyStatic, {
      root: options.root,
      index: false,
      // The server completes those, and gives them at their own addresses.
      allowedPath: (path) => !/^\/(?:site-pages|first-visit)\//.test(path),
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const name = path.slice(options.root.length)
        reply.header('cache-control', cacheControl(name))
        if (/^[\\/]assets[\\/]/.test(name) && !runsAlone.test(name))
          for (const header of pageHeaders) reply.removeHeader(header)
        // The popup arrives here from the provider's page, which has no such policy: one of this page's own would part
        // it from its opener.
        if (/^[\\/]google-callback\.html/.test(name)) reply.header('cross-origin-opener-policy', 'unsafe-none')
      },
    })
  }
  const sendPage = async (
    reply: FastifyReply,
    page: () => Promise<StoredPage>,
    status = 200,
  ): Promise<FastifyReply> => {
    const { request } = reply
    const isChat = pathOf(request) === pages.chat
    const vary = firstVisits && isChat ? ['accept-language', 'cookie'] : []
    return sendStored({ request, reply, status, vary }, await (firstVisits?.pageFor(request) ?? page()))
  }
  if (appPage) {
    // The service worker keeps it under the name of its file.
    app.get('/index.html', { schema: { hide: true } }, async (request, reply) =>
      sendStored({ request, reply }, await appPage()),
    )
    // Most visits begin with it: as the other pages it would first be looked for among the files.
    app.get(pages.chat, { schema: { hide: true } }, (_request, reply) => sendPage(reply, appPage))
  }
  registerAppPage(app, options)
  await app.register(receiveNothingShared)
  const site = existsSync(join(options.root, 'site-pages')) ? registerSitePages(app, options) : undefined
  if (!site) app.get(publicPages.home, { schema: { hide: true } }, (_request, reply) => reply.redirect(pages.chat, 302))

  app.setNotFoundHandler({ preHandler: app.rateLimit() }, async (request, reply) => {
    const path = pathOf(request)
    const isKnown = isPage(path)
    if (!isRead(request) || !(isKnown || (isBuilt && isPerson(request, path)))) return sendNotFound(request, reply)
    if (!appPage) return reply.code(503).type('text/plain').send('The app is not built yet: run "npm run build".')
    if (!isKnown && site) return site.send(request, reply, 'not-found', 404)
    return sendPage(reply, appPage, isKnown ? 200 : 404)
  })
}

/**
 * Where a browser has lost the app's service worker, which takes what is shared: it is not read here, and the app says
 * that it did not arrive.
 */
async function receiveNothingShared(scope: FastifyInstance): Promise<void> {
  scope.addContentTypeParser('*', (_request, body, done) => {
    body.resume()
    done(null)
  })
  scope.post(shareTarget.path, { schema: { hide: true } }, (_request, reply) => reply.redirect(shareTarget.opens, 303))
}

function cacheControl(path: string): string {
  if (/^[\\/]assets[\\/]/.test(path)) return 'public, max-age=31536000, immutable'
  // index.html, sw.js and the manifest decide which version runs: they are checked each time.
  return /\.(html|js|webmanifest|json)(\.br|\.gz)?$/.test(path) ? 'no-cache' : 'public, max-age=3600'
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?')[0] ?? ''

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** What a person typed or clicked, in contrast to a program's call or a missing file of a page. */
function isPerson({ headers }: FastifyRequest, path: string): boolean {
  const isServerPath = /^\/(api|v1|ws|models|metrics|assets)(\/|$)/.test(path)
  return !isServerPath && (headers.accept?.includes('text/html') ?? false)
}
