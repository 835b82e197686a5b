// The browser is killed at each request of an upload, before and after the server has it: `npm run e2e:kills` at all of
// them, `npm test` at a few that RUN_SEED chooses.
import { join } from 'node:path'
import type { SourceJob } from '@parley/contract/sources'
import type { Page } from '@playwright/test'
import { FolderStore } from '../apps/server/src/providers/files/folder-store'
import type { ParleyServer } from './parley-server'
import { ana, answers, ask, call, expect, otherSession, untilAnswered } from './people'
import { addAndRead, comeBack, isDeep, type Outcome, stepsToKill, test, untilKilled } from './source-crash-steps'
import { chooseCloud, sourcesBar, text } from './source-steps'

test.describe.configure({ timeout: isDeep ? 600_000 : 120_000 })

const fact = (name: string): string => `The notice period of ${name} is ninety-one days.`

/** Two pieces of an upload. */
const aLongFile = (name: string) =>
  text(`${name}.txt`, `${fact(name)}\n\n${'The shelf is dusted each week. '.repeat(28_000)}`)

/**
 * Pauses what the browser asks about sources from now on, before and after the server has it, until it is told to go
 * on.
 */
async function stopAtRequest(page: Page, step: number, stop: () => void): Promise<() => number> {
  const session = await page.context().newCDPSession(page)
  let seen = 0
  session.on('Fetch.requestPaused', ({ requestId }) => {
    if (++seen === step) return stop()
    // It may have ended with its page.
    session.send('Fetch.continueRequest', { requestId }).catch(() => undefined)
  })
  const urlPattern = '*/api/embeddings/*'
  const patterns = [
    { urlPattern, requestStage: 'Request' as const },
    { urlPattern, requestStage: 'Response' as const },
  ]
  await session.send('Fetch.enable', { patterns })
  return () => seen
}

/** The sources of an account in one channel as the server has them: its list, its quota and its store. */
function theCloud(server: ParleyServer, token: string, channelId: string) {
  const get = (path: string): Promise<Response> => call(server, 'GET', path, { token })
  const list = async (): Promise<SourceJob[]> => (await get(`/api/embeddings/job/channel/${channelId}`)).json()
  return {
    list,
    contentOf: async (id: string) => Buffer.from(await (await get(`/api/embeddings/job/${id}/file`)).arrayBuffer()),
    /**
     * `name` and `bytes`: of a file that was on its way; what is not whole of it has the room that it is going to take.
     */
    async expectToAgree(when: string, { name = '', bytes = 0 } = {}): Promise<void> {
      const sources = await list()
      const { usedBytes } = await (await get('/api/embeddings/quota')).json()
      const wholeBytes = sources.reduce((sum, source) => sum + source.bytes, 0)
      const isOnItsWay = bytes > 0 && !sources.some(({ filename }) => filename === name)
      expect(isOnItsWay ? [wholeBytes, wholeBytes + bytes] : [wholeBytes], `the quota, ${when}`).toContain(usedBytes)
      if (isOnItsWay) return
      const inStore = async (): Promise<string[]> => {
        const names: string[] = []
        for await (const { key } of new FolderStore(join(server.dataDir, 'files')).list(''))
          names.push(
            key
              .split('/')
              .slice(1)
              .join('/')
              .replace(/\.[^/]*$/, ''),
          )
        return names.sort()
      }
      // Parts of uploads and texts of readings that were given up go a moment later.
      const wanted = sources.flatMap(({ id }) => [`${id}/document`, `${id}/file`]).sort()
      await expect.poll(inStore, { message: `the store, ${when}` }).toEqual(wanted)
    },
  }
}

test('a file whose upload dies with the browser is there once or not at all, goes on when it is added again, and quota, list and store agree, at whichever request it dies', async ({
  server,
  gateway,
  killable,
}) => {
  let page = await comeBack(killable, `${server.url}/app`)
  await chooseCloud(page)
  gateway.next({ text: 'Hello.' })
  await ask(page, 'Are you there?')
  await expect(answers(page).first()).toContainText('Hello.')
  await untilAnswered(page)
  const url = page.url()
  const { token } = await otherSession(server, ana)
  const cloud = theCloud(server, token, new URL(url).hash.slice(1))
  const row = (name: string) => sourcesBar(page).getByRole('listitem').filter({ hasText: name })
  const add = async (name: string, step: number): Promise<{ outcome: Outcome; seen: number }> => {
    let stop = (): void => undefined
    const stopped = new Promise<void>((resolve) => {
      stop = resolve
    })
    let seen = (): number => 0
    const outcome = await untilKilled(killable, stopped, () =>
      addAndRead(page, aLongFile(name), async () => {
        seen = await stopAtRequest(page, step, stop)
      }),
    )
    return { outcome, seen: seen() }
  }
  const { seen: count } = await add('shed', Number.POSITIVE_INFINITY)
  await cloud.expectToAgree('before all kills')
  let kills = 0
  for (const step of stepsToKill(count)) {
    const [name, when] = [`greenhouse-${step}`, `killed at step ${step} of its requests`]
    const file = aLongFile(name)
    const { outcome } = await add(name, step)
    if (outcome === 'whole') break
    kills++
    await cloud.expectToAgree(when, { name: file.name, bytes: file.buffer.length })
    page = await comeBack(killable, url)
    const isThere = (await cloud.list()).some((source) => source.filename === file.name)
    if (!isThere) await addAndRead(page, file)
    await expect(row(name), when).toContainText('Processed', { timeout: 30_000 })
    await expect(row(name)).toHaveCount(1)
    const sources = await cloud.list()
    expect(
      sources.map(({ status }) => status),
      when,
    ).toEqual(sources.map(() => 'processed'))
    const [found, ...others] = sources.filter((source) => source.filename === file.name)
    expect(others).toEqual([])
    expect((await cloud.contentOf(found?.id ?? '')).equals(file.buffer), when).toBe(true)
    await cloud.expectToAgree(when)
    gateway.next({ text: `Ninety-one days for ${name}.` })
    await ask(page, `What is the notice period of ${name}?`)
    await expect(answers(page).last()).toContainText(`Ninety-one days for ${name}.`)
    expect(gateway.requests.at(-1)?.body.messages.at(-1)?.content, when).toContain(fact(name))
  }
  test.info().annotations.push({ type: 'kills', description: String(kills) })
  // Begun, two pieces, and what is asked afterwards; each before and after the server has it.
  expect(kills).toBeGreaterThanOrEqual(isDeep ? 8 : 1)
})
