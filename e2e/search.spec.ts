import { deep } from './deep'
import { ownId } from './journey'
import { ana, bruno, call, chatRows, composer, expect, otherSession, signIn, signUp, test } from './people'
import {
  aCloudChat,
  distanceFromMiddle,
  field,
  log,
  moveToDevice,
  searchStatus,
  searchWorkers,
  sidebar,
  walkTo,
} from './search-steps'

test('messages of both homes are found below the names, without a mouse, and far up in a long chat the message comes into the middle', async ({
  page,
  server,
}) => {
  await signUp(server, ana)
  await aCloudChat(server, {
    name: 'long',
    channelName: 'The long one',
    count: 160,
    texts: { 20: 'Onde comprar um AGULHÃO de prata?' },
  })
  await aCloudChat(server, {
    name: 'sky',
    channelName: 'Agulha in the sky',
    count: 60,
    texts: { 3: 'The agulha in the cloud' },
  })
  await signIn(page, ana)
  await moveToDevice(page, 'The long one')
  await page.getByRole('button', { name: /New chat/ }).click()
  // It takes the focus when it is drawn.
  await expect(page.getByRole('heading', { name: 'What shall we talk about?' })).toBeVisible()
  await expect(composer(page)).toBeFocused()

  await page.getByRole('button', { name: 'Search chats' }).focus()
  await page.keyboard.press('Enter')
  await expect(field(page)).toBeFocused()
  await page.keyboard.type('agulha')
  const local = sidebar(page).getByRole('link', { name: /The long one.*AGULHÃO/ })
  const cloud = sidebar(page).getByRole('link', { name: /The agulha in the cloud/ })
  await expect(local.locator('mark')).toHaveText('AGULHÃ')
  await expect(cloud.locator('mark')).toHaveText('agulha')
  await expect(sidebar(page).getByRole('heading', { level: 3 })).toHaveText(['Search results', 'Messages'])

  await page.keyboard.press('ArrowDown')
  await expect(chatRows(page).getByRole('link', { name: /Agulha in the sky/ })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(local).toBeFocused()
  await page.keyboard.press('Enter')
  const wanted = log(page).locator('article').filter({ hasText: 'AGULHÃO de prata' })
  await expect(wanted).toBeFocused()
  await expect(wanted).toHaveAttribute('data-marked')
  await expect.poll(() => distanceFromMiddle(page, 'AGULHÃO de prata')).toBeLessThan(40)
  await expect(page.getByRole('status').filter({ hasText: 'The message of March 1, 2026' })).toBeAttached()
  await expect(wanted).not.toHaveAttribute('data-marked')
  expect(await distanceFromMiddle(page, 'AGULHÃO de prata')).toBeLessThan(40)
  await expect(page).toHaveURL(new RegExp(`/app#${ownId('long')}$`))

  await cloud.focus()
  await page.keyboard.press('Enter')
  await expect(log(page).locator('article').filter({ hasText: 'The agulha in the cloud' })).toBeFocused()
  await expect.poll(() => distanceFromMiddle(page, 'The agulha in the cloud')).toBeLessThan(120)
  await expect(page).toHaveURL(new RegExp(`/app#${ownId('sky')}$`))

  await page.goBack()
  await expect.poll(() => distanceFromMiddle(page, 'AGULHÃO de prata')).toBeLessThan(40)
})

test(
  'all that the cloud found comes when asked; a chat that somebody shares is searched as well, one that is not is not',
  deep,
  async ({ page, server }) => {
    await signUp(server, ana)
    await signUp(server, bruno)
    const needles = Object.fromEntries(Array.from({ length: 120 }, (_, n) => [n, `needle ${n}`]))
    await aCloudChat(server, { name: 'shared', channelName: 'Shared plans', count: 120, texts: needles })
    await aCloudChat(server, { name: 'secret', channelName: 'Secret', count: 1, texts: { 0: 'a secret needle' } })
    const { token } = await otherSession(server, ana)
    const { url } = await (
      await call(server, 'POST', `/api/channel/${ownId('shared')}/invitations`, { token, body: { role: 'read' } })
    ).json()
    const { token: his } = await otherSession(server, bruno)
    expect(
      (await call(server, 'POST', `/api/invitations/${url.split('/').at(-1)}/accept`, { token: his })).status,
    ).toBe(200)

    await signIn(page, bruno)
    await page.getByRole('button', { name: 'Search chats' }).click()
    await field(page).fill('needle')
    const status = searchStatus(page)
    await expect(status).toHaveText('50 messages found')
    for (const count of ['100', '120']) {
      await field(page).focus()
      await walkTo(page, /^Show more$/)
      await page.keyboard.press('Enter')
      await expect(status).toHaveText(`${count} messages found`)
    }
    await expect(sidebar(page).getByRole('button', { name: 'Show more' })).toHaveCount(0)
    await field(page).focus()
    await walkTo(page, /^Shared plans.*needle 0\s/)
    await page.keyboard.press('Enter')
    await expect(log(page).locator('article').filter({ hasText: 'needle 0' })).toBeFocused()
    await field(page).fill('secret needle')
    await expect(sidebar(page).getByText('No message has these words.')).toBeVisible()
  },
)

test(
  'what was looked for is gone with the person: nothing is found after logging out',
  deep,
  async ({ page, server }) => {
    await signUp(server, ana)
    await aCloudChat(server, { name: 'mine', channelName: 'Mine', count: 3, texts: { 1: 'my secret needle' } })
    await signIn(page, ana)
    await moveToDevice(page, 'Mine')
    await page.getByRole('button', { name: 'Search chats' }).click()
    await field(page).fill('secret')
    await expect(sidebar(page).getByRole('link', { name: /my secret needle/ })).toBeVisible()
    expect(searchWorkers(page)).toBe(1)
    await page.getByRole('button', { name: /: Account$/ }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Log out' }).click()
    await expect(page.locator('header').getByRole('button', { name: 'Sign In' })).toBeVisible()
    await expect.poll(() => searchWorkers(page)).toBe(0)
    await expect(page.getByRole('searchbox')).toHaveCount(0)
  },
)
