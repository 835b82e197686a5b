import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { buildLock } from './build-lock'
import { asset, dropFormerBuilds, keepBuild, keptFile } from './kept-builds'

/** As a browser keeps them: by path, the oldest first. */
class FakeCaches {
  readonly open_ = new Map<string, Map<string, Response>>()
  async open(name: string) {
    const files = this.open_.get(name) ?? new Map<string, Response>()
    this.open_.set(name, files)
    const pathOf = (request: string | Request): string =>
      typeof request === 'string' ? request : new URL(request.url).pathname
    return {
      match: async (request: string | Request) => files.get(pathOf(request))?.clone(),
      put: async (request: string | Request, response: Response) => void files.set(pathOf(request), response),
      delete: async (request: string | Request) => files.delete(pathOf(request)),
      keys: async () => [...files.keys()],
    }
  }
  async match(request: string | Request): Promise<Response | undefined> {
    for (const name of this.open_.keys()) {
      const found = await (await this.open(name)).match(request)
      if (found) return found
    }
    return undefined
  }
  keys = async () => [...this.open_.keys()]
  delete = async (name: string) => this.open_.delete(name)
}

const first = { id: 'build-1', files: ['index.html', 'assets/app-1.js', 'assets/same-0.js'] }
const second = { id: 'build-2', files: ['index.html', 'assets/app-2.js', 'assets/same-0.js'] }
let kept: FakeCaches
let served: Record<string, string>
let tabs: { url: string }[]
let held: { name: string }[]
const fetched = vi.fn(async (request: string | Request) => {
  const path = typeof request === 'string' ? request : new URL(request.url).pathname
  return path in served ? new Response(served[path]) : new Response('', { status: 404 })
})
const tabOf = (id: string): void => {
  tabs.push({ url: 'https://parley.example/app' })
  held.push({ name: buildLock.nameOf(id) })
}
const deploy = ({ id, files }: typeof first): void => {
  served = Object.fromEntries(
    files.map((file) => [`/${file}`, file === 'index.html' ? `<meta content="${id}">` : file]),
  )
}
const isIdle = (): boolean => false

beforeEach(() => {
  kept = new FakeCaches()
  tabs = []
  held = []
  fetched.mockClear()
  vi.stubGlobal('caches', kept)
  vi.stubGlobal('fetch', fetched)
  vi.stubGlobal('clients', { matchAll: async () => tabs })
  Object.defineProperty(navigator, 'locks', { configurable: true, value: { query: async () => ({ held }) } })
})
afterEach(() => {
  Reflect.deleteProperty(navigator, 'locks')
  vi.unstubAllGlobals()
})

it('a build is put on the device whole, and what the one before had is not fetched again', async () => {
  deploy(first)
  await keepBuild(first)
  deploy(second)
  fetched.mockClear()
  await keepBuild(second)
  expect(fetched.mock.calls.map(([path]) => path).sort()).toEqual(['/assets/app-2.js', '/index.html'])
  expect(await (await keptFile(second, '/index.html'))?.text()).toContain('build-2')
  expect(await (await keptFile(first, '/index.html'))?.text()).toContain('build-1')
  expect(await (await asset(new Request('https://parley.example/assets/app-1.js'))).text()).toBe('assets/app-1.js')
})

it.each([
  ['a file is missing on the server', () => Reflect.deleteProperty(served, '/assets/app-2.js')],
  [
    'the page is still that of the build before',
    () => Object.assign(served, { '/index.html': '<meta content="build-1">' }),
  ],
])('a build is not installed while a deployment is under way: %s', async (_what, disturb) => {
  deploy(second)
  disturb()
  await expect(keepBuild(second)).rejects.toThrow()
})

it('the files of a former build stay until its last tab is gone', async () => {
  for (const build of [first, second]) {
    deploy(build)
    await keepBuild(build)
  }
  tabOf(first.id)
  tabOf(second.id)
  await dropFormerBuilds(second, isIdle)
  expect(await kept.keys()).toEqual(['build:build-1', 'build:build-2'])
  tabs.shift()
  held.shift()
  await dropFormerBuilds(second, isIdle)
  expect(await kept.keys()).toEqual(['build:build-2'])
})

it('no files go while a tab is being loaded, which may be of any build, nor while another build is on its way', async () => {
  for (const build of [first, second]) {
    deploy(build)
    await keepBuild(build)
  }
  tabOf(second.id)
  await dropFormerBuilds(second, () => true)
  tabs.push({ url: 'https://parley.example/settings?tab=credits' })
  await dropFormerBuilds(second, isIdle)
  expect(await kept.keys()).toHaveLength(2)
  // A page that is not the app's needs none of them.
  tabs = [{ url: 'https://parley.example/roadmap' }]
  held = []
  await dropFormerBuilds(second, isIdle)
  expect(await kept.keys()).toEqual(['build:build-2'])
})

it('a file that is used for the first time is kept, one that the server does not have is not', async () => {
  served = { '/assets/python-1.js': 'python' }
  const ask = (name: string) => asset(new Request(`https://parley.example/assets/${name}`))
  expect(await (await ask('python-1.js')).text()).toBe('python')
  served = {}
  expect(await (await ask('python-1.js')).text()).toBe('python')
  expect((await ask('gone-1.js')).status).toBe(404)
  expect(await kept.match('/assets/gone-1.js')).toBeUndefined()
})
