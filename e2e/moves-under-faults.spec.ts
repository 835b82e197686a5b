// Moves and imports that are cut off, at points that a seed chooses, and begun again. The full size takes minutes: npm
// run e2e:moves.
import type { Page } from '@playwright/test'
import {
  type Chat,
  type Chats,
  channelIds,
  chatsFile,
  cloudChats,
  deviceChats,
  digestOf,
  expectSame,
  fillCloud,
  makeChats,
  numbersFrom,
} from './chat-copies'
import { deep } from './deep'
import { ana, chatRows, expect, test as journey, otherSession, signIn, signUp, toastWith } from './people'
import { type Fault, type Kind, Trouble } from './trouble'

const isFull = process.env.WITH_MOVES !== undefined
/** Another one by MOVES_SEED: every point and every choice follows from it. */
const seed = Number(process.env.MOVES_SEED ?? 20_261_121)
const size: { channels: number; messages: number; faults?: number } = isFull
  ? { channels: 200, messages: 20_000, faults: 30 }
  : { channels: 6, messages: 780 }
/** To the cloud they move one by one: fewer, of several batches each. */
const sizeToCloud = isFull ? size : { channels: 3, messages: 750 }

const test = journey.extend<{ trouble: Trouble }>({
  ownServer: true,
  trouble: async ({ server, launchOptions }, use) => {
    const trouble = new Trouble(server, launchOptions)
    await use(trouble)
    await trouble.end()
  },
})

type Work = {
  kinds: readonly Kind[]
  /** In the small size these alone: each kind comes in one journey or another. */
  few: readonly Kind[]
  /** A fault comes within so many steps. */
  reach: number
  /** Does what is left to do, as a person would, and answers what the app said at last; undefined: nothing was left. */
  run: (page: Page) => Promise<string | undefined>
  /** Fails where something is missing. */
  check: (page: Page) => Promise<void>
  /** Makes the work to do once more where nothing is left of it before the last fault. */
  again?: (page: Page) => Promise<void>
}

const isDone = (said: string | undefined): boolean => said !== undefined && /success/.test(said)
const isOver = (said: string | undefined): boolean => said === undefined || said === 'All chats are already local.'

/** Cuts the work off again and again; then lets it come to its end. */
async function underFaults(trouble: Trouble, first: Page, { reach, run, check, again, ...work }: Work): Promise<Page> {
  test.info().annotations.push({ type: 'seed', description: String(seed) })
  const random = numbersFrom(seed)
  let last = first
  let cut = 0
  const kinds = isFull ? work.kinds : work.few
  const faults = size.faults ?? kinds.length
  for (let n = 0; n < faults; n++) {
    const fault: Fault = {
      kind: kinds[n % kinds.length] ?? 'tab closed',
      step: Math.floor(random() * reach),
      isAfter: random() < 0.5,
    }
    await test.step(`${n} of seed ${seed}: ${JSON.stringify(fault)}`, async () => {
      const { page, struck } = await trouble.plan(fault, last)
      const worked = run(page).catch((error: unknown) => {
        if (!page.isClosed()) throw error
        return 'closed'
      })
      const said = await Promise.race([worked, ...(fault.kind === 'tab closed' ? [struck.then(() => 'closed')] : [])])
      if (!isDone(said) && !isOver(said)) cut++
      if (fault.kind === 'device full' && !isDone(said) && !isOver(said))
        expect(said).toContain('Your device is out of space.')
      await trouble.heal()
      last = await trouble.open()
      await check(last)
      if (isOver(said)) await again?.(last)
    })
  }
  expect(cut, 'faults that cut the work off').toBeGreaterThanOrEqual(faults / 2)
  for (let said = await run(last); !isOver(said); said = await run(last)) {
    expect(said).toMatch(/success/)
    last = await trouble.open()
    await check(last)
  }
  return last
}

/**
 * Each chat is whole in at least one of the places; what another place has of it is its beginning, and nothing else is
 * anywhere.
 */
function expectWholeSomewhere(wanted: Chats, ...places: readonly Chats[]): void {
  for (const place of places) for (const [id, chat] of place) expectBeginning(id, chat, wanted.get(id))
  for (const [id, chat] of wanted) {
    const isWhole = places.some((place) => digestOf(place.get(id)) === digestOf(chat))
    if (!isWhole) expect(places[0]?.get(id) ?? places[1]?.get(id), `${id} is whole nowhere`).toEqual(chat)
  }
}

function expectBeginning(id: string, { messages, ...chat }: Chat, wanted: Chat | undefined): void {
  const beginning = wanted && { ...wanted, messages: wanted.messages.slice(0, messages.length) }
  if (digestOf({ ...chat, messages }) !== digestOf(beginning)) expect({ ...chat, messages }, id).toEqual(beginning)
}

test.beforeEach(() => test.setTimeout(isFull ? 900_000 : 90_000))

test(
  'chats that move to this device are whole in one home at every moment, and in this one alone in the end [CH-050, CH-051]',
  deep,
  async ({ trouble, server }) => {
    const wanted = makeChats(size.channels, size.messages)
    await signUp(server, ana)
    const { token } = await otherSession(server, ana)
    await fillCloud(server, token, wanted)
    const page = await trouble.open()
    await signIn(page, ana)
    const last = await underFaults(trouble, page, {
      kinds: ['device full', 'network cut', 'tab closed', 'server killed', 'answer lost'],
      few: ['device full', 'answer lost'],
      reach: isFull ? 45 : 6,
      async run(page) {
        if ((await channelIds(server, token)).length === 0) return undefined
        return moveAll(page)
      },
      check: async (page) => expectWholeSomewhere(wanted, await deviceChats(page), await cloudChats(server, token)),
    })
    expectSame(await deviceChats(last), wanted, 'the device')
    expectSame(await cloudChats(server, token), new Map(), 'the cloud')
  },
)

/** By the banner. Answers what the app said. */
async function moveAll(page: Page): Promise<string> {
  await page.getByRole('region', { name: 'Move to Local Storage' }).getByRole('button', { name: 'Move Now' }).click()
  await page.getByRole('button', { name: 'Ok' }).click()
  const over = toastWith(page, /^(Migration|Failed to migrate|All chats)/)
  await over.waitFor({ timeout: 120_000 })
  return (await over.textContent()) ?? ''
}

test(
  'chats that move to the cloud are whole in one home at every moment, and in the cloud alone in the end',
  deep,
  async ({ trouble, server }) => {
    const wanted = makeChats(sizeToCloud.channels, sizeToCloud.messages)
    await signUp(server, ana)
    const { token } = await otherSession(server, ana)
    const page = await trouble.open()
    await signIn(page, ana)
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Chats menu' }).click()
    await page.getByRole('menuitem', { name: 'Import chats' }).click()
    await (await chooser).setFiles({ name: 'chats.json', mimeType: 'application/json', buffer: chatsFile(wanted) })
    await page.getByRole('button', { name: 'Ok' }).click()
    // The page loads anew by itself.
    await Promise.all([
      page.waitForEvent('load', { timeout: 120_000 }),
      toastWith(page, /chats imported$/).waitFor({ timeout: 120_000 }),
    ])
    let left = [...wanted.keys()]
    const last = await underFaults(trouble, page, {
      kinds: ['tab closed', 'server killed', 'network cut', 'answer lost'],
      few: ['tab closed', 'network cut'],
      reach: isFull ? 24 : 7,
      async run(page) {
        let said: string | undefined
        for (const id of [...left]) {
          said = await moveToCloud(page, `${server.url}/app#${id}`)
          if (!isDone(said)) return said
          left = left.filter((other) => other !== id)
        }
        return said
      },
      async check(page) {
        const device = await deviceChats(page)
        left = [...device.keys()]
        expectWholeSomewhere(wanted, device, await cloudChats(server, token))
      },
    })
    expectSame(await cloudChats(server, token), wanted, 'the cloud')
    await expect(chatRows(last).getByText('local')).toHaveCount(0)
    expectSame(await deviceChats(last), new Map(), 'the device')
  },
)

/** One chat, by the tools of the top bar. Answers what the app said. */
async function moveToCloud(page: Page, url: string): Promise<string> {
  await page.goto(url)
  await page.getByRole('button', { name: 'Chat tools' }).click()
  await page.getByRole('menuitem', { name: 'Move to the cloud' }).click()
  await page.getByRole('button', { name: 'Ok' }).click()
  const over = toastWith(page, /^(Channel created successfully|The chat could not be moved)/).and(
    page.locator(':not([data-seen])'),
  )
  await over.waitFor({ timeout: 20_000 })
  const said = (await over.textContent()) ?? ''
  await over.evaluate((toast) => toast.setAttribute('data-seen', ''))
  return said
}

if (isFull)
  test.describe('with the limits that every server has', () => {
    test.use({ environment: { RATE_LIMIT_SCALE: '1' } })

    test('all chats move to this device within a minute', async ({ trouble, server }) => {
      const wanted = makeChats(size.channels, size.messages)
      await signUp(server, ana)
      const { token } = await otherSession(server, ana)
      await fillCloud(server, token, wanted)
      const page = await trouble.open()
      await signIn(page, ana)
      const began = performance.now()
      expect(await moveAll(page)).toMatch(/success/)
      const ms = performance.now() - began
      test.info().annotations.push({ type: 'moved in', description: `${(ms / 1_000).toFixed(1)} s` })
      expect(ms).toBeLessThan(60_000)
      expectSame(await deviceChats(page), wanted, 'the device')
    })
  })

const strategies = ['Skip', 'Replace', 'Merge'] as const

for (const target of ['This device', 'Cloud'] as const)
  test(
    `an import to ${target === 'Cloud' ? 'the cloud' : 'this device'} that is cut off anywhere is whole once the file was imported again, whatever becomes of what is there`,
    deep,
    async ({ trouble, server }) => {
      const wanted = makeChats(size.channels, size.messages)
      const random = numbersFrom(seed)
      await signUp(server, ana)
      const { token } = await otherSession(server, ana)
      const page = await trouble.open()
      await signIn(page, ana)
      const read = (page: Page): Promise<Chats> => (target === 'Cloud' ? cloudChats(server, token) : deviceChats(page))
      let isWhole = false
      const last = await underFaults(trouble, page, {
        kinds:
          target === 'Cloud'
            ? ['tab closed', 'server killed', 'network cut', 'answer lost']
            : ['tab closed', 'device full'],
        few: target === 'Cloud' ? ['server killed', 'answer lost'] : ['tab closed', 'device full'],
        reach: target === 'Cloud' ? (isFull ? 40 : 5) : isFull ? 6 : 3,
        async run(page) {
          if (isWhole) return undefined
          return importFile(
            page,
            chatsFile(wanted),
            target,
            strategies[Math.floor(random() * strategies.length)] ?? 'Skip',
          )
        },
        async check(page) {
          const there = await read(page)
          isWhole = [...wanted].every(([id, chat]) => digestOf(there.get(id)) === digestOf(chat))
          for (const [id, chat] of there) expectBeginning(id, chat, wanted.get(id))
          if (target === 'This device')
            for (const [id, chat] of there) expect(digestOf(chat), `${id} is whole`).toBe(digestOf(wanted.get(id)))
        },
        async again(page) {
          if (target === 'Cloud') return
          await page.getByRole('button', { name: 'Chats menu' }).click()
          await page.getByRole('menuitem', { name: 'Delete all chats' }).click()
          await page.getByRole('button', { name: 'Ok' }).click()
          await expect(chatRows(page)).toHaveCount(0)
          isWhole = false
        },
      })
      expectSame(await read(last), wanted, target)
    },
  )

/** Answers what the app said. */
async function importFile(page: Page, file: Buffer, target: string, strategy: string): Promise<string> {
  await page.goto(new URL('/settings?tab=general', page.url()).href)
  await page.getByRole('group', { name: 'System' }).getByRole('button', { name: 'Import' }).click()
  const dialog = page.getByRole('dialog')
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose a file' }).click()
  await (await chooser).setFiles({ name: 'chats.json', mimeType: 'application/json', buffer: file })
  await dialog.getByRole('radio', { name: target }).check()
  await dialog.getByRole('radio', { name: new RegExp(`^${strategy}`) }).check()
  await dialog.getByRole('button', { name: 'Import' }).click()
  const done = dialog.getByRole('status').filter({ hasText: 'Import completed!' })
  await done.or(dialog.getByRole('alert')).waitFor({ timeout: 120_000 })
  const said = await done.or(dialog.getByRole('alert')).textContent()
  const leave = dialog.getByRole('button', { name: 'Reload now' })
  if ((await leave.count()) > 0) await Promise.all([page.waitForEvent('load'), leave.click()])
  return said ?? ''
}
