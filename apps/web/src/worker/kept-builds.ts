// The app's files on the device, one cache for each build that a tab may still be of.
import { isPage } from '@parley/contract/pages'
import { buildLock } from './build-lock'

/**
 * `files`: what the app needs without a network, by their paths below `/`. Those in `assets/` have their content's hash
 * in the name.
 */
export type Build = { id: string; files: readonly string[] }

const cachePrefix = 'build:'
const cacheOf = (id: string): string => `${cachePrefix}${id}`
/** What is fetched when it is first used, whichever build it is of: languages of code, PDF, formulas, fonts. */
const usedCache = 'assets'
const mostUsedFiles = 300
const fetchesAtOnce = 4

const isHashed = (path: string): boolean => path.startsWith('/assets/')

/** Puts a build on the device. All of it or an error: a build that lacks a file would break without a network. */
export async function keepBuild({ id, files }: Build): Promise<void> {
  const cache = await caches.open(cacheOf(id))
  const missing = files.map((file) => `/${file}`)
  const fetchMissing = async (): Promise<void> => {
    for (let path = missing.pop(); path !== undefined; path = missing.pop()) {
      if (await cache.match(path)) continue
      // The build before has most of them.
      const known = isHashed(path) ? await caches.match(path) : undefined
      await cache.put(path, known ?? (await fetchFile(path, id)))
    }
  }
  await Promise.all(Array.from({ length: fetchesAtOnce }, fetchMissing))
}

async function fetchFile(path: string, id: string): Promise<Response> {
  const response = await fetch(path, { cache: isHashed(path) ? 'default' : 'no-cache' })
  if (!response.ok || response.redirected) throw new Error(`${path} answered ${response.status}`)
  // While a deployment is under way another node may still give the page of the build before: its files would not be
  // here.
  if (path === '/index.html' && !(await response.clone().text()).includes(id))
    throw new Error('the page is of another build')
  return response
}

/** Of this build, without asking the network. */
export async function keptFile({ id }: Build, path: string): Promise<Response | undefined> {
  return (await caches.open(cacheOf(id))).match(path)
}

/** A hashed file: the same in whichever build it is found. One that is on no device yet is kept from now on. */
export async function asset(request: Request): Promise<Response> {
  const known = await caches.match(request)
  if (known) return known
  const response = await fetch(request)
  if (response.ok) await keepUsed(request, response.clone()).catch(() => undefined)
  return response
}

async function keepUsed(request: Request, response: Response): Promise<void> {
  const cache = await caches.open(usedCache)
  await cache.put(request, response)
  const kept = await cache.keys()
  for (const oldest of kept.slice(0, Math.max(0, kept.length - mostUsedFiles))) await cache.delete(oldest)
}

/** Forgets the builds that no tab is of any more. `isBusy`: another build is on its way or waits. */
export async function dropFormerBuilds({ id }: Build, isBusy: () => boolean): Promise<void> {
  const others = (await caches.keys()).filter((name) => name !== cacheOf(id) && name !== usedCache)
  // A browser that cannot tell which builds are in use keeps them.
  if (others.length === 0 || !navigator.locks) return
  const inUse = await buildsInUse()
  for (const name of others) {
    if (isBusy() || inUse === undefined) return
    if (!inUse.has(name)) await caches.delete(name)
  }
}

/**
 * Names of their caches. Undefined while there is a tab that has not said of which build it is: it is being loaded,
 * from any of them.
 */
async function buildsInUse(): Promise<ReadonlySet<string> | undefined> {
  const { held = [] } = await navigator.locks.query()
  const told = held.flatMap(({ name }) => buildLock.buildOf(name) ?? [])
  const windows = await (self as unknown as ServiceWorkerGlobalScope).clients.matchAll({
    type: 'window',
    includeUncontrolled: true,
  })
  const tabs = windows.filter(({ url }) => isPage(new URL(url).pathname))
  return told.length < tabs.length ? undefined : new Set(told.map(cacheOf))
}
