import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { webLimits } from '@parley/contract/limits/web'
import { afterAll, beforeAll, vi } from 'vitest'
import { InPageReader, startInPageReader } from '../apps/web/src/testing/in-page-reader'
import { theWeb, useBothHomes } from './both-homes'

const html =
  '<!doctype html><title>Rents</title><main><h1>Rents of 2026</h1><p>The index rose by four percent.</p></main>'
const site = createServer((request, response) => {
  if (request.url !== '/rents') return response.writeHead(404).end()
  return response.writeHead(200, { 'content-type': 'text/html' }).end(html)
})
export const address = (path: string): string => `http://127.0.0.1:${(site.address() as AddressInfo).port}${path}`

/** A cloud in which somebody is signed in, and a website that it may read. */
export function useCloudSources(): void {
  useBothHomes(async () => {
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
    return { FETCH_ALLOWED_HOSTS: new URL(address('/')).host }
  })
  beforeAll(() => {
    vi.stubGlobal('Worker', InPageReader)
    // Nobody has to wait here for a network that is back.
    Object.assign(webLimits.sources, { uploadRetryMs: 1 })
  })
  afterAll(() => site.close())
}

export async function aCloud() {
  const { CloudSourceStore } = await import('../apps/web/src/data/sources/cloud-source-store')
  const { cloudChannels } = await theWeb()
  const [channel, other] = [
    await cloudChannels.create({ assistantId: null }),
    await cloudChannels.create({ assistantId: null }),
  ]
  const store = new CloudSourceStore({ startReader: startInPageReader })
  return { store, channel, channelId: channel.id, otherChannelId: other.id }
}
