import type { Page } from '@playwright/test'
import { deep } from './deep'
import {
  ana,
  answers,
  ask,
  chatRows,
  composer,
  countCalls,
  expect,
  networkNoise,
  newChat,
  signIn,
  signUp,
  test,
  toastWith,
  untilAnswered,
} from './people'
import { short } from './short'

const pick = (page: Page) => page.getByRole('button', { name: /^Where the chat is kept/ })

async function chooseCloud(page: Page): Promise<void> {
  await pick(page).click()
  await page.getByRole('menuitem', { name: 'In the cloud' }).click()
  await expect(pick(page)).toHaveAccessibleName('Where the chat is kept: In the cloud')
}

const tool = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Chat tools' }).click()
  await page.getByRole('menuitem', { name }).click()
}

/** Runs in the page: tells each error toast, also one that is gone before anybody looks. */
function tellErrors(): void {
  const tell: (text: string) => void = Reflect.get(window, 'tell')
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes)
      for (const node of addedNodes)
        if (node instanceof Element && node.matches('[data-tone=error]')) tell(node.textContent ?? '')
  }).observe(document, { subtree: true, childList: true })
}

test(
  'a chat in the cloud is there in another browser, and goes on there [CH-002, CH-046, CH-106, CH-170]',
  short,
  async ({ page, browser, server, gateway }) => {
    await signUp(server, ana)
    await signIn(page, ana)
    await expect(pick(page)).toHaveAccessibleName('Where the chat is kept: On this device')
    await chooseCloud(page)
    await expect(page.getByText('This chat is kept in the cloud.')).toBeVisible()
    gateway.next({ text: 'From the cloud.' })
    await ask(page, 'Where are you?')
    await expect(toastWith(page, 'New chat created successfully in Cloud!')).toBeVisible()
    await expect(answers(page).first()).toContainText('From the cloud.')
    await expect(chatRows(page)).toHaveCount(1)
    await expect(chatRows(page).getByText('server')).toBeVisible()

    const elsewhere = await browser.newContext()
    const other = await elsewhere.newPage()
    const told: string[] = []
    await other.exposeFunction('tell', (text: string) => told.push(text))
    await other.addInitScript(tellErrors)
    await other.goto(`${server.url}/app`)
    await signIn(other, ana)
    await expect(chatRows(other)).toHaveCount(1)
    await chatRows(other).getByRole('link').click()
    await expect(answers(other).first()).toContainText('From the cloud.')
    gateway.next({ text: 'Still the same chat.' })
    await ask(other, 'And now?')
    await expect(answers(other).nth(1)).toContainText('Still the same chat.')
    // The server's own history is the context.
    const last = gateway.requests.filter(({ path }) => path.endsWith('/chat/completions')).at(-1)
    expect(JSON.stringify(last?.body)).toContain('From the cloud.')
    expect(told, 'errors that were shown').toEqual([])
    await elsewhere.close()

    await page.reload()
    await expect(answers(page).nth(1)).toContainText('Still the same chat.')
  },
)

test('a chat moves to the cloud and back, whole, and each home says so [CH-046, CH-105]', async ({
  page,
  server,
  gateway,
}) => {
  await signUp(server, ana)
  await signIn(page, ana)
  for (const n of [1, 2, 3]) {
    gateway.next({ text: `Answer ${n}.` })
    await ask(page, `Question ${n}`)
    await expect(answers(page).nth(n - 1)).toContainText(`Answer ${n}.`)
    await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden()
  }
  await tool(page, 'Move to the cloud')
  await page.getByRole('button', { name: 'Ok' }).click()
  await expect(toastWith(page, 'Channel created successfully in Cloud!')).toBeVisible()
  await expect(chatRows(page).getByText('server')).toBeVisible()
  await page.reload()
  await expect(answers(page)).toHaveCount(3)
  await expect(answers(page).nth(2)).toContainText('Answer 3.')

  await tool(page, 'Move to this device')
  await page.getByRole('button', { name: 'Ok' }).click()
  await expect(toastWith(page, 'Chat moved to this device')).toBeVisible()
  await expect(chatRows(page).getByText('local')).toBeVisible()
  await page.reload()
  await expect(answers(page)).toHaveCount(3)
  await expect(page.locator('[data-question]')).toHaveText([/Question 1/, /Question 2/, /Question 3/])
  await expect(chatRows(page)).toHaveCount(1)
})

test(
  'all cloud chats move to this device, counted; the banner offers it until nothing is left [CH-040, CH-042, CH-043, CH-045, CH-048, CH-049, CH-054, CH-055, CH-058, CH-061]',
  deep,
  async ({ page, server, gateway }) => {
    await signUp(server, ana)
    await signIn(page, ana)
    await chooseCloud(page)
    for (const n of [1, 2]) {
      gateway.next({ text: `Cloud answer ${n}.` })
      await ask(page, `Cloud question ${n}`)
      await expect(answers(page).first()).toContainText(`Cloud answer ${n}.`)
      await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden()
      await newChat(page)
      await expect(page.getByRole('heading', { name: 'What shall we talk about?' })).toBeVisible()
    }
    const banner = page.getByRole('region', { name: 'Move to Local Storage' })
    await expect(banner).toContainText('Local: 0 · Cloud: 2 · Total: 2')
    await page.getByRole('button', { name: 'Chats menu' }).click()
    await page.getByRole('menuitem', { name: 'Migrate to Local (2)' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(toastWith(page, 'Migration cancelled by user')).toBeVisible()

    await banner.getByRole('button', { name: 'Move Now' }).click()
    await expect(page.getByText('Move 2 cloud chats to this device?')).toBeVisible()
    await page.getByRole('button', { name: 'Ok' }).click()
    await expect(
      toastWith(
        page,
        /^Migration completed successfully! Migration complete: 2 migrated, 0 already existing, 2 deleted\.$/,
      ),
    ).toBeVisible()
    await expect(banner).toBeHidden()
    await expect(chatRows(page).getByText('local')).toHaveCount(2)
    await page.getByRole('button', { name: 'Chats menu' }).click()
    await expect(page.getByRole('menuitem', { name: 'Migrate to Local (0)' })).toBeDisabled()
  },
)

test.describe('by the storage mode', () => {
  test('local: a rename brings the cloud chat to this device first; cloud: it is renamed and deleted in the cloud [CH-047, CH-097, CH-102, CH-107]', async ({
    page,
    server,
    gateway,
  }) => {
    await signUp(server, ana)
    await signIn(page, ana)
    await chooseCloud(page)
    gateway.next({ text: 'Kept.' })
    await ask(page, 'Name me')
    await expect(answers(page).first()).toContainText('Kept.')
    const rename = async (name: string) => {
      await tool(page, 'Rename')
      await page.getByRole('dialog').getByRole('textbox').fill(name)
      await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click()
      await expect(toastWith(page, 'Chat renamed successfully!').first()).toBeVisible()
      await expect(chatRows(page).getByText(name)).toBeVisible()
    }
    await rename('In the sky')
    await expect(chatRows(page).getByText('server')).toBeVisible()

    await newChat(page)
    await pick(page).click()
    await page.getByRole('menuitem', { name: 'On this device' }).click()
    await chatRows(page).getByRole('link').click()
    await rename('On the ground')
    await expect(chatRows(page).getByText('local')).toBeVisible()
    await page.reload()
    await expect(answers(page).first()).toContainText('Kept.')
  })

  test(
    'deleting in the cloud says where, and deleting all asks for that home alone [CH-102, CH-118, CH-122, CH-171]',
    deep,
    async ({ page, server, gateway }) => {
      await signUp(server, ana)
      await signIn(page, ana)
      gateway.next({ text: 'Local one.' })
      await ask(page, 'Stays on the device')
      await expect(answers(page).first()).toContainText('Local one.')
      await newChat(page)
      await chooseCloud(page)
      for (const n of [1, 2]) {
        gateway.next({ text: `Cloud ${n}.` })
        await ask(page, `Cloud question ${n}`)
        await expect(answers(page).first()).toContainText(`Cloud ${n}.`)
        await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden()
        if (n === 1) await newChat(page)
      }
      await tool(page, 'Delete')
      await page.getByRole('button', { name: 'Ok' }).click()
      await expect(toastWith(page, 'Channel deleted successfully in Cloud')).toBeVisible()
      await expect(chatRows(page)).toHaveCount(2)

      await page.getByRole('button', { name: 'Chats menu' }).click()
      await page.getByRole('menuitem', { name: 'Delete all chats' }).click()
      await expect(page.getByText('Delete all Cloud chats?')).toBeVisible()
      await page.getByRole('button', { name: 'Ok' }).click()
      await expect(toastWith(page, 'All cloud chats deleted successfully!')).toBeVisible()
      await expect(chatRows(page)).toHaveCount(1)
      await expect(chatRows(page).getByText('local')).toBeVisible()
    },
  )
})

test.describe('while the network fails', () => {
  test.use({ allowedNoise: networkNoise })

  test('a cloud question that was cut off by a reload is answered once, under its one name', async ({
    page,
    server,
    gateway,
  }) => {
    await signUp(server, ana)
    await signIn(page, ana)
    await chooseCloud(page)
    const created = countCalls(page, '/api/channel')
    gateway.next({ text: 'word '.repeat(120), holdAfter: 100 })
    await ask(page, 'A long one')
    await expect(answers(page).first()).toContainText('word word')
    await page.reload()
    await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible()
    gateway.release()
    await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden({ timeout: 20_000 })
    await expect(answers(page)).toHaveCount(1)
    await expect(answers(page).first().locator('[data-answer-text]')).toHaveText(/^\s*(word ){119}word\s*$/)
    expect(gateway.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1)
    expect(created()).toBeGreaterThan(0)
    await page.reload()
    await expect(answers(page)).toHaveCount(1)
    await expect(composer(page)).toBeVisible()
  })
})

for (const home of ['Device', 'Cloud'] as const)
  test(
    `another answer that cannot be had leaves the one that was there, in a chat in the ${home.toLowerCase()}`,
    home === 'Device' ? deep : {},
    async ({ page, server, gateway }) => {
      await signUp(server, ana)
      await signIn(page, ana)
      if (home === 'Cloud') await chooseCloud(page)
      gateway.next({ text: 'The **first** answer.' })
      await ask(page, 'Once more?')
      await expect(answers(page).first()).toContainText('The first answer.')
      await untilAnswered(page)
      gateway.next({ status: 402 })
      await page.getByRole('button', { name: 'Regenerate' }).click()
      await expect(
        toastWith(page, 'The model gateway has no credit left for this model. Please choose another model.'),
      ).toBeVisible()
      await untilAnswered(page)
      await expect(answers(page).first()).toContainText('The first answer.')
      await page.reload()
      await expect(answers(page).first()).toContainText('The first answer.')
      await expect(answers(page).getByText('The model gateway has no credit left')).toHaveCount(0)
      gateway.next({ text: 'A second one.' })
      await page.getByRole('button', { name: 'Regenerate' }).click()
      await expect(answers(page).first()).toContainText('A second one.')
      await expect(page.locator('[data-question]')).toHaveCount(1)
    },
  )
