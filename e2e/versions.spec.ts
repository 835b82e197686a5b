import { deep } from './deep'
import { expectNothing } from './nothing-serious'
import { answers, ask, chatRows, composer, expect, secondTab, seeToast, test, toastWith, untilAnswered } from './people'
import {
  aChatInTheCloud,
  aChatOnTheDevice,
  askAndWait,
  desk,
  edit,
  exchange,
  field,
  phone,
  questions,
  step,
  topOf,
  versionsOf,
} from './version-steps'

/**
 * Each home shows what becomes of its own records; that both keep the same is shown by the stores themselves
 * (version-asks.test.ts, and apps/web/src/data).
 */
for (const home of ['device', 'cloud'] as const) {
  test.describe(`versions in a chat: ${home}`, () => {
    test.beforeEach(async ({ page, server }) => {
      await page.setViewportSize(desk)
      await (home === 'cloud' ? aChatInTheCloud(page, server) : aChatOnTheDevice(page))
    })

    test(
      'an edited question stands beside the old one; the pointer goes back and on, and a reload keeps what is shown',
      home === 'device' ? deep : {},
      async ({ page, gateway }) => {
        await edit(page, 1, 'Two, edited?')
        await expect(questions(page)).toHaveText(['One?', 'Two, edited?'])
        await expect(answers(page).last()).toContainText('You said: Two, edited?')
        const last = gateway.requests.filter(({ path }) => path.endsWith('/chat/completions')).at(-1)
        expect(last?.body.messages.slice(1).map(({ content }) => content)).toEqual([
          'One?',
          'You said: One?',
          'Two, edited?',
        ])
        const group = versionsOf(page, 1, 'question')
        await expect(group).toContainText('2/2')
        const before = await topOf(group)
        await step(group, 'Previous').click()
        await expect(questions(page)).toHaveText(['One?', 'Two?', 'Three?'])
        await expect(group).toContainText('1/2')
        await expect(step(group, 'Previous')).toBeFocused()
        await expect.poll(() => topOf(group)).toBe(before)
        await page.reload()
        await expect(questions(page)).toHaveText(['One?', 'Two?', 'Three?'])
        await expect(group).toContainText('1/2')
        await step(group, 'Next').click()
        await expect(questions(page)).toHaveText(['One?', 'Two, edited?'])
        // An edit of an edit, which is asked on.
        await edit(page, 1, 'Two, again?')
        await expect(group).toContainText('3/3')
        await askAndWait(page, 'And on?')
        await expectNothing(page, `versions of a question, ${home}`)
      },
    )
  })
}

test.describe('in a chat on this device', () => {
  test.beforeEach(async ({ page }) => aChatOnTheDevice(page))

  test('by the keyboard alone: Enter sends an edit, Escape ends it, [ and ] change the version of what has the focus', async ({
    page,
  }) => {
    const button = exchange(page, 1).getByRole('button', { name: 'Edit question' })
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(field(page)).toBeFocused()
    await expect(field(page)).toHaveValue('Two?')
    await page.keyboard.press('Escape')
    await expect(field(page)).toHaveCount(0)
    await expect(button).toBeFocused()
    await page.keyboard.press('Enter')
    // Neither nothing nor the same is sent.
    await page.keyboard.press('Enter')
    await field(page).fill(' ')
    await expect(page.getByRole('button', { name: 'Send', exact: true }).first()).toBeDisabled()
    await field(page).fill('Two by keys?')
    await page.keyboard.press('Enter')
    await expect(field(page)).toHaveCount(0)
    await expect(questions(page)).toHaveText(['One?', 'Two by keys?'])
    await untilAnswered(page)
    await expect(exchange(page, 1)).toBeFocused()
    await expect(versionsOf(page, 1, 'question')).toContainText('2/2')

    await page.keyboard.press('[')
    await expect(questions(page)).toHaveText(['One?', 'Two?', 'Three?'])
    await expect(exchange(page, 1)).toBeFocused()
    await page.keyboard.press('[')
    await page.keyboard.press(']')
    await expect(questions(page)).toHaveText(['One?', 'Two by keys?'])
    await expect(exchange(page, 1)).toBeFocused()
    // Where one writes they are letters.
    await composer(page).focus()
    await page.keyboard.type('[]')
    await expect(composer(page)).toHaveValue('[]')
    await expect(questions(page)).toHaveText(['One?', 'Two by keys?'])
  })

  test('a version is deleted after one was told how much goes', deep, async ({ page }) => {
    await edit(page, 1, 'Two, edited?')
    await askAndWait(page, 'On?')
    await askAndWait(page, 'And on?')
    await exchange(page, 1).hover()
    await exchange(page, 1).getByRole('button', { name: 'Delete this version' }).click()
    await expect(page.getByText('Delete this version of the question and 2 messages after it?')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(questions(page)).toHaveCount(4)
    await exchange(page, 1).hover()
    await exchange(page, 1).getByRole('button', { name: 'Delete this version' }).click()
    await page.getByRole('button', { name: 'Ok' }).click()
    await seeToast(page, 'Version deleted')
    await expect(questions(page)).toHaveText(['One?', 'Two?', 'Three?'])
    await expect(page.getByRole('group', { name: /^Versions of/ })).toHaveCount(0)
  })
})

test.describe('in a chat in the cloud', () => {
  test.beforeEach(async ({ page, server }) => aChatInTheCloud(page, server))

  test('any answer is regenerated, with another model too; what followed the old one stays with it', async ({
    page,
    gateway,
  }) => {
    gateway.next({ text: 'Second of two.' })
    await exchange(page, 1).hover()
    await exchange(page, 1).getByRole('button', { name: 'Regenerate' }).click()
    await expect(answers(page)).toHaveCount(2)
    await expect(answers(page).last()).toContainText('Second of two.')
    await untilAnswered(page)
    const group = versionsOf(page, 1, 'answer')
    await expect(group).toContainText('2/2')

    gateway.next({ text: 'By a larger one.' })
    await exchange(page, 1).getByRole('button', { name: 'Other ways to answer' }).click()
    await page.getByRole('menuitem', { name: 'Answer with another model…' }).click()
    await page.getByRole('dialog').getByRole('combobox').fill('Large')
    await page.keyboard.press('Enter')
    await expect(answers(page).last()).toContainText('By a larger one.')
    await untilAnswered(page)
    await expect(group).toContainText('3/3')
    await expect(exchange(page, 1)).toContainText('large')
    expect(gateway.requests.at(-1)?.body.model).toBe('stand-in/large')

    const before = await topOf(group)
    await step(group, 'Previous').click()
    await expect(answers(page).last()).toContainText('Second of two.')
    await expect(step(group, 'Previous')).toBeFocused()
    await step(group, 'Previous').click()
    await expect(questions(page)).toHaveText(['One?', 'Two?', 'Three?'])
    await expect.poll(() => topOf(group)).toBe(before)
    await page.reload()
    await expect(group).toContainText('1/3')
    await expect(answers(page)).toHaveCount(3)
    await expectNothing(page, 'versions of an answer, cloud')
  })

  test('a version that was stopped is counted and says so; a gateway that is gone leaves the version before, on its branch', async ({
    page,
    gateway,
  }) => {
    gateway.next({ text: 'Slowly '.repeat(200), tokensPerSecond: 20 })
    await exchange(page, 1).hover()
    await exchange(page, 1).getByRole('button', { name: 'Regenerate' }).click()
    await expect(answers(page).last()).toContainText('Slowly')
    await expect(versionsOf(page, 1, 'answer')).toContainText('2/2')
    await page.getByRole('button', { name: 'Stop' }).click()
    await expect(answers(page).last()).toContainText('Stopped by you')
    await expect(versionsOf(page, 1, 'answer')).toContainText('2/2')
    await step(versionsOf(page, 1, 'answer'), 'Previous').click()
    await expect(questions(page)).toHaveText(['One?', 'Two?', 'Three?'])

    gateway.next({ status: 401 })
    await exchange(page, 0).hover()
    await exchange(page, 0).getByRole('button', { name: 'Regenerate' }).click()
    await expect(toastWith(page, /./).first()).toBeVisible()
    await expect(questions(page)).toHaveText(['One?', 'Two?', 'Three?'])
    await expect(versionsOf(page, 0, 'answer')).toHaveCount(0)
  })

  test('what another tab shows follows an edit here', async ({ page, context }) => {
    const other = await secondTab(context, page)
    await expect(questions(other)).toHaveText(['One?', 'Two?', 'Three?'])
    await edit(page, 2, 'Three, edited?')
    await expect(questions(other)).toHaveText(['One?', 'Two?', 'Three, edited?'])
    await step(versionsOf(other, 2, 'question'), 'Previous').click()
    for (const each of [other, page]) await expect(questions(each)).toHaveText(['One?', 'Two?', 'Three?'])
  })

  test('a chat of its own begins at any answer', async ({ page }) => {
    await exchange(page, 1).hover()
    await exchange(page, 1).getByRole('button', { name: 'Branch from here' }).click()
    await expect(toastWith(page, /is a chat of its own now/)).toBeVisible()
    await expect(questions(page)).toHaveText(['One?', 'Two?'])
    await expect(chatRows(page)).toHaveCount(2)
    await askAndWait(page, 'Apart?')
    await chatRows(page).nth(1).getByRole('link').click()
    await expect(questions(page)).toHaveText(['One?', 'Two?', 'Three?'])
  })
})

test('versions of any length keep the control where it is, also far up in a long chat', async ({ page, gateway }) => {
  await page.setViewportSize(desk)
  const lines = (count: number): string => Array.from({ length: count }, (_, n) => `Line ${n}.`).join('\n\n')
  for (const [question, count] of [
    ['One?', 60],
    ['Two?', 30],
    ['Three?', 4],
  ] as const) {
    gateway.next({ text: lines(count) })
    await ask(page, question)
    await expect(questions(page).last()).toHaveText(question)
    await expect(answers(page).last()).toContainText(`Line ${count - 1}.`)
    await untilAnswered(page)
  }
  gateway.next({ text: 'Short.' })
  // What is far above is not drawn.
  const two = page.locator('[data-message-id]').filter({ has: page.getByText('Two?', { exact: true }) })
  const three = page.getByText('Three?', { exact: true })
  await two.getByRole('button', { name: 'Regenerate' }).click()
  await expect(answers(page).last()).toContainText('Short.')
  await untilAnswered(page)
  const group = two.getByRole('group', { name: 'Versions of the answer' })
  await expect(page.locator('[data-settling]')).toHaveCount(0)
  const pressed = await page.evaluateHandle(() => {
    const at = { top: Number.NaN }
    const note = ({ target }: Event): void => {
      if (target instanceof Element) at.top = target.closest('[data-versions]')?.getBoundingClientRect().top ?? at.top
    }
    document.addEventListener('click', note, { capture: true })
    return at
  })
  for (const name of ['Previous', 'Next', 'Previous'] as const) {
    await step(group, name).click()
    await expect(three).toHaveCount(name === 'Next' ? 0 : 1)
    await expect(step(group, name)).toBeFocused()
    // Until then messages are measured, which moves what stands below them.
    await expect(page.locator('[data-settling]')).toHaveCount(0)
    // Within the room between two exchanges, from where it was when it was pressed: before that the list may have been
    // scrolled, and measured what it shows then.
    const before = await pressed.evaluate(({ top }) => top)
    await expect.poll(async () => Math.abs((await topOf(group)) - before)).toBeLessThanOrEqual(16)
  }
  // The room below a short version goes with the next question.
  await step(group, 'Next').click()
  await expect(three).toHaveCount(0)
  await askAndWait(page, 'On?')
  const end = await answers(page).last().boundingBox()
  const box = await composer(page).boundingBox()
  expect((box?.y ?? 0) - ((end?.y ?? 0) + (end?.height ?? 0))).toBeLessThan(200)
})

test('on a phone the tools of a question are in a menu beside it, and every control can be touched', async ({
  page,
}) => {
  await page.setViewportSize(phone)
  await askAndWait(page, 'One?')
  await askAndWait(page, 'Which of my points would you drop first if they say no to everything?')
  await exchange(page, 1).getByRole('button', { name: 'More for this question' }).click()
  await page.getByRole('menuitem', { name: 'Edit question' }).click()
  await expectNothing(page, 'editing on a phone')
  await field(page).fill('Which of my points would you drop last, if they say yes to everything else?')
  await page.getByRole('button', { name: 'Send', exact: true }).first().click()
  await expect(field(page)).toHaveCount(0)
  await untilAnswered(page)
  await exchange(page, 1).getByRole('button', { name: 'Regenerate' }).click()
  await expect(versionsOf(page, 1, 'answer')).toContainText('2/2')
  await untilAnswered(page)
  await expectNothing(page, 'versions on a phone')
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const part of ['question', 'answer'] as const)
    for (const name of ['Previous', 'Next'] as const) {
      const box = await step(versionsOf(page, 1, part), name).boundingBox()
      expect([box?.width, box?.height]).toEqual([44, 44])
    }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await step(versionsOf(page, 1, 'question'), 'Previous').click()
  await expect(questions(page).nth(1)).toContainText('drop first')
  await exchange(page, 1).getByRole('button', { name: 'More for this answer' }).click()
  await page.getByRole('menuitem', { name: 'Branch from here' }).click()
  await expect(toastWith(page, /is a chat of its own now|sign in/i).first()).toBeVisible()
})
