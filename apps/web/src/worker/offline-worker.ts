// The service worker: opens the app without a network, keeps the files of every build that a tab is of, and takes what
// is shared to the app.
import { isPage, shareTarget } from '@parley/contract/pages'
import { asset, type Build, dropFormerBuilds, keepBuild, keptFile } from './kept-builds'
import { ShareInbox } from './share-inbox'

declare const self: ServiceWorkerGlobalScope
/** Put in by the build: offline-files.ts. */
declare const __BUILD__: Build

const build = __BUILD__
const appPage = '/index.html'
const inbox = new ShareInbox()
/** The server's own addresses, and pages that are files. */
const isServerPath = (path: string): boolean => /^\/(?:api|v1|ws|metrics|models)(?:\/|$)|\.html$/.test(path)

const dropFormer = (): Promise<void> =>
  dropFormerBuilds(build, () => self.registration.installing !== null || self.registration.waiting !== null)

self.addEventListener('install', (event) => event.waitUntil(keepBuild(build)))

self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim().then(dropFormer)))

self.addEventListener('message', (event) => {
  const { type } = event.data as { type?: string }
  // A new build waits until a person agrees to reload.
  if (type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting())
  if (type === 'TAKE_SHARED') event.ports[0]?.postMessage(inbox.take())
  // A tab has begun, and has said of which build it is. It may have begun with the build before this one.
  if (type !== 'TAB_BEGUN') return
  event.ports[0]?.postMessage(build.id)
  event.waitUntil(dropFormer())
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (origin !== self.location.origin) return
  if (request.method === 'POST' && pathname === shareTarget.path) {
    const received = inbox.put(request)
    event.waitUntil(received.then(({ kept }) => kept))
    // What cannot be read is missed by the page.
    event.respondWith(received.catch(() => undefined).then(() => Response.redirect(shareTarget.opens, 303)))
  }
  if (request.method !== 'GET') return
  if (request.mode === 'navigate') {
    if (isPage(pathname)) event.respondWith(keptFile(build, appPage).then((page) => page ?? fetch(request)))
    // Public pages and addresses that lead nowhere. Without a network the app takes their place.
    else if (!isServerPath(pathname)) event.respondWith(fetch(request).catch(() => keptOr(Response.error(), appPage)))
    return
  }
  if (pathname.startsWith('/assets/')) event.respondWith(asset(request))
  else if (build.files.includes(pathname.slice(1)))
    event.respondWith(keptFile(build, pathname).then((file) => file ?? fetch(request)))
})

const keptOr = async (otherwise: Response, path: string): Promise<Response> =>
  (await keptFile(build, path)) ?? otherwise
