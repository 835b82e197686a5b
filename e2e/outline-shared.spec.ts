import { deep } from './deep'
// What several people, and many questions, make of a chat: what came since one last looked, who may delete a branch.

import type { Page } from '@playwright/test'
import { askByProgram } from './ask-by-program'
import { ownId } from './journey'
import { expectNothing } from './nothing-serious'
import type { ParleyServer } from './parley-server'
import { ana, bruno, call, chatRows, expect, otherSession, signIn, signUp, test } from './people'
import { aCloudChat, log } from './search-steps'

const tree = (page: Page) => page.getByRole('tree', { name: 'Questions of this chat' })
const row = (page: Page, name: string | RegExp) => tree(page).getByRole('treeitem', { name })
const exchange = (page: Page, text: string) => log(page).locator('article').filter({ hasText: text })
const chat = (page: Page, name: string) => chatRows(page).filter({ hasText: name }).getByRole('link')
const newBelow = (page: Page, count: number) => page.getByRole('button', { name: `${count} new below` })
const outlineButton = (page: Page) => page.getByRole('button', { name: 'Outline', exact: true })

/** Ana's chat of 20 questions, in which Bruno has this role. Answers the tokens of both. */
async function aSharedChat(server: ParleyServer, role: 'read' | 'write'): Promise<{ anas: string; brunos: string }> {
  await signUp(server, ana)
  await signUp(server, bruno)
  await aCloudChat(server, { name: 'plans', channelName: 'Plans', count: 20 })
  const { token: anas } = await otherSession(server, ana)
  const { token: brunos } = await otherSession(server, bruno)
  const invited = await call(server, 'POST', `/api/channel/${ownId('plans')}/invitations`, {
    token: anas,
    body: { role },
  })
  const { url } = await invited.json()
  const accepting = call(server, 'POST', `/api/invitations/${url.split('/').at(-1)}/accept`, { token: brunos })
  expect((await accepting).status).toBe(200)
  return { anas, brunos }
}

/** Below the words of the question, and beside its tools, also where the pointer brings those up. */
async function expectReceiptInSight(page: Page): Promise<void> {
  const asked = log(page).locator('[data-question]').first()
  await asked.hover()
  const boxes = [
    asked.locator('[data-receipts]'),
    asked.getByText('Question 0'),
    asked.locator('button:not([data-receipts] *)').last(),
  ]
  await expect(async () => {
    const [receipt, words, tool] = await Promise.all(boxes.map((each) => each.boundingBox()))
    if (!receipt || !words || !tool) throw new Error('a part is not there')
    expect(receipt.y).toBeGreaterThanOrEqual(words.y + words.height)
    const isBeside = tool.x + tool.width <= receipt.x || receipt.x + receipt.width <= tool.x
    expect(isBeside || tool.y + tool.height <= receipt.y).toBe(true)
  }).toPass()
}

test('a member’s question is counted while one reads farther up, and has a line above it at the next visit', async ({
  page,
  server,
  gateway,
}) => {
  const { anas, brunos } = await aSharedChat(server, 'write')
  expect((await call(server, 'POST', '/api/channel', { token: anas, body: { channelName: 'Another' } })).status).toBe(
    201,
  )
  await signIn(page, ana)
  await chat(page, 'Plans').click()
  await expect(exchange(page, 'Question 19')).toBeInViewport()
  // Each step is shorter than the distance within which the end counts as reached.
  const restBelow = () => log(page).evaluate((area) => area.scrollHeight - area.clientHeight - area.scrollTop)
  await expect(async () => {
    await log(page).press('ArrowUp')
    expect(await restBelow()).toBeGreaterThan(60)
  }).toPass()
  await log(page).press('End')
  await expect.poll(restBelow).toBeLessThan(2)
  await log(page).press('Home')
  await expect(exchange(page, 'Question 0')).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Jump to the latest message' })).toBeVisible()
  await expect(exchange(page, 'Question 0')).toBeInViewport()
  await expectReceiptInSight(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expectReceiptInSight(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await outlineButton(page).click()
  gateway.next({ text: Array.from({ length: 40 }, (_, n) => `Day ${n} is free.`).join('\n\n') })
  await askByProgram(server, brunos, ownId('plans'), 'Shall we meet on Friday?')
  await expect(row(page, '21, Shall we meet on Friday?, bruno')).toBeAttached()
  await expect(newBelow(page, 1)).toBeVisible()
  await askByProgram(server, brunos, ownId('plans'), 'And where?')
  await expect(newBelow(page, 2)).toBeVisible()
  await expect(exchange(page, 'Question 0')).toBeInViewport()
  await expect(exchange(page, 'Question 19')).not.toBeInViewport()
  await expectNothing(page, 'new below')
  await newBelow(page, 2).press('Enter')
  await expect(exchange(page, 'Shall we meet on Friday?')).toBeFocused()
  await expect(log(page).getByText('Day 0 is free.')).toBeInViewport()
  await newBelow(page, 1).click()
  await expect(exchange(page, 'And where?')).toBeFocused()
  await expect(page.getByRole('button', { name: /new below/ })).toHaveCount(0)
  await expect(log(page).locator('[data-new-line]')).toHaveCount(0)

  await chat(page, 'Another').click()
  await expect(exchange(page, 'Shall we meet')).toHaveCount(0)
  await askByProgram(server, brunos, ownId('plans'), 'Or on Saturday?')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Open menu' }).click()
  await chat(page, 'Plans').click()
  const line = log(page).locator('[data-new-line]')
  await expect(line).toHaveText('New')
  const [above, below] = await Promise.all([line.boundingBox(), exchange(page, 'Or on Saturday?').boundingBox()])
  expect(above?.y).toBeLessThan(below?.y ?? 0)
  await expectNothing(page, 'the line above what is new')
})

test('members delete only branches of their own', deep, async ({ page, server }) => {
  const { anas, brunos } = await aSharedChat(server, 'write')
  await askByProgram(server, anas, ownId('plans'), 'By train?', `${ownId('plans')}-17`)
  await askByProgram(server, brunos, ownId('plans'), 'By bus?', `${ownId('plans')}-17`)
  await signIn(page, bruno)
  await chat(page, 'Plans').click()
  await outlineButton(page).click()
  const canDelete = (text: RegExp) => row(page, text).getByRole('button', { name: 'Delete this branch' })
  await expect(row(page, /^By bus\?, /)).toHaveCount(1)
  await expect(canDelete(/^By bus\?, /)).toHaveCount(1)
  await expect(canDelete(/^By train\?, /)).toHaveCount(0)
  await expect(canDelete(/^Question 18, /)).toHaveCount(0)
})

test(
  'whoever only reads a chat goes through its outline, and neither deletes nor pins',
  deep,
  async ({ page, server }) => {
    const { anas } = await aSharedChat(server, 'read')
    await askByProgram(server, anas, ownId('plans'), 'By train?', `${ownId('plans')}-17`)
    await signIn(page, bruno)
    await chat(page, 'Plans').click()
    await outlineButton(page).click()
    await expect(row(page, /^19, Question 18, version 1 of 2/)).toBeVisible()
    await expect(tree(page).getByRole('button', { name: 'Delete this branch' })).toHaveCount(0)
    await row(page, /^By train\?, /).click()
    const question = exchange(page, 'By train?')
    await expect(question).toBeFocused()
    await expect(question.getByRole('button', { name: 'Copy' }).first()).toBeAttached()
    await expect(page.getByRole('button', { name: 'Always send along' })).toHaveCount(0)
  },
)

test(
  '3,000 questions: the outline draws what is on the screen, and goes to the first in a moment',
  deep,
  async ({ page, server }) => {
    await signUp(server, ana)
    await aCloudChat(server, { name: 'long', channelName: 'The long one', count: 3_000 })
    await signIn(page, ana)
    await chat(page, 'The long one').click()
    await expect(exchange(page, 'Question 2999')).toBeInViewport()
    await outlineButton(page).click()
    await expect(row(page, '3,000, Question 2999').or(row(page, '3000, Question 2999'))).toBeVisible()
    expect(await tree(page).getByRole('treeitem').count()).toBeLessThan(80)
    // So many steps of the arrow key, each drawn, in less than a frame each on a quiet machine.
    const started = Date.now()
    for (let n = 0; n < 50; n++) await page.keyboard.press('ArrowUp')
    await expect(row(page, /Question 2949$/)).toHaveAttribute('aria-selected', 'true')
    expect(Date.now() - started).toBeLessThan(10_000)
    await page.keyboard.press('Home')
    await expect(row(page, '1, Question 0')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Enter')
    await expect(exchange(page, 'Question 0').first()).toBeFocused()
    await expect(row(page, '1, Question 0')).toHaveAttribute('aria-current', 'true')
  },
)
