// The browser is killed at each step of a file on the device: `npm run e2e:kills` at all of them, `npm run e2e` at a
// few that RUN_SEED chooses.
import type { Page } from '@playwright/test'
import { deep } from './deep'
import { answers, ask, composer, expect, newChat } from './people'
import { addAndRead, comeBack, isDeep, killsOfNormalRun, stepsToKill, test, untilKilled } from './source-crash-steps'
import { handbook, sourcesBar } from './source-steps'

test.describe.configure({ timeout: isDeep ? 600_000 : 120_000 })

const fact = (name: string): string => `The notice period of ${name} is ninety-one days.`
const aFile = (name: string) => ({ ...handbook(3, 2, fact(name)), name: `${name}.pdf` })

/** In the page, before its own scripts: counts the writes to the device, and stops the page at one of them. */
function countWrites(): void {
  const writes = { seen: 0, stopAt: Number.POSITIVE_INFINITY }
  Reflect.set(globalThis, 'writes', writes)
  IDBDatabase.prototype.transaction = new Proxy(IDBDatabase.prototype.transaction, {
    apply(target, db, args: unknown[]) {
      if (args[1] === 'readwrite' && ++writes.seen === writes.stopAt) {
        Reflect.get(globalThis, 'stopped')()
        // The kill finds the page before this write.
        for (;;);
      }
      return Reflect.apply(target, db, args)
    },
  })
}

const stopAt = (page: Page, step: number): Promise<void> =>
  page.evaluate((at) => void Object.assign(Reflect.get(globalThis, 'writes'), { seen: 0, stopAt: at }), step)
const writesSeen = (page: Page): Promise<number> => page.evaluate(() => Reflect.get(globalThis, 'writes').seen)

/** What the vaults of this browser have of sources: whose content there is, and the parts of each as they are named. */
const sourcesOnDisk = (page: Page): Promise<{ sources: string[]; parts: Record<string, string[]> }> =>
  page.evaluate(async () => {
    const wait = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const sources: string[] = []
    const parts: Record<string, string[]> = {}
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await wait(indexedDB.open(name))
      if (db.objectStoreNames.contains('files')) {
        const tx = db.transaction(['documents', 'files'])
        sources.push(...(await wait(tx.objectStore('documents').getAll())).map(({ contentId }) => contentId))
        for (const key of await wait(tx.objectStore('files').getAllKeys())) {
          const [contentId = '', part = ''] = String(key).split('|')
          const named = parts[contentId] ?? []
          parts[contentId] = named.includes(part) ? named : [...named, part]
        }
      }
      db.close()
    }
    return { sources: sources.sort(), parts }
  })

/** Every source that there is has its file, its text and its passages, and there is nothing else. */
async function expectWhole(page: Page, when: string): Promise<void> {
  const { sources, parts } = await sourcesOnDisk(page)
  expect(Object.keys(parts).sort(), `bytes of sources, ${when}`).toEqual(sources)
  for (const named of Object.values(parts))
    expect(named.map((part) => part.split('-')[0]).sort(), `parts, ${when}`).toEqual(['file', 'passages', 'text'])
}

test(
  'a file that is added on the device when the browser dies is read to its end by the next one, once, or was not taken whole, which is said, and is read when it is added again; nothing else is left, at whichever write it dies',
  deep,
  async ({ server, gateway, killable }) => {
    let stop = (): void => undefined
    const open = (): Promise<Page> =>
      comeBack(killable, `${server.url}/app`, async (page) => {
        await page.exposeBinding('stopped', () => stop())
        await page.addInitScript(countWrites)
      })
    const row = (page: Page, name: string) => sourcesBar(page).getByRole('listitem').filter({ hasText: name })
    let page = await open()
    await addAndRead(page, aFile('shed'), () => stopAt(page, Number.POSITIVE_INFINITY))
    await expectWhole(page, 'before all kills')
    const count = await writesSeen(page)
    let kills = 0
    for (const step of stepsToKill(count)) {
      const name = `greenhouse-${step}`
      const when = `killed at write ${step}`
      const before = (await sourcesOnDisk(page)).sources
      const stopped = new Promise<void>((resolve) => {
        stop = resolve
      })
      const outcome = await untilKilled(killable, stopped, () =>
        addAndRead(page, aFile(name), () => stopAt(page, step)),
      )
      if (outcome === 'whole') break
      kills++
      page = await open()
      await expect(composer(page)).toBeVisible()
      if ((await sourcesOnDisk(page)).sources.length === before.length) {
        // It was never taken: nothing of it is left.
        await expectWhole(page, when)
        await expect(row(page, name)).toHaveCount(0)
        await addAndRead(page, aFile(name))
      }
      await expect(row(page, name), when).toContainText(/Processed, 3 pages|Please add it again/, { timeout: 30_000 })
      if (!(await row(page, name).textContent())?.includes('Processed')) await addAndRead(page, aFile(name))
      await expect(row(page, name), when).toContainText('Processed, 3 pages')
      await expect(row(page, name)).toHaveCount(1)
      await expectWhole(page, when)
      gateway.next({ text: `Ninety-one days for ${name}.` })
      await ask(page, `What is the notice period of ${name}?`)
      await expect(answers(page).last()).toContainText(`Ninety-one days for ${name}.`)
      expect(gateway.requests.at(-1)?.body.messages.at(-1)?.content, when).toContain(fact(name))
      await newChat(page)
    }
    test.info().annotations.push({ type: 'kills', description: String(kills) })
    expect(kills).toBe(isDeep ? count : killsOfNormalRun)
  },
)
