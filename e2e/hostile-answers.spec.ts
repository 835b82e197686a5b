import { deep } from './deep'
import { answers, ask, composer, expect, test, untilDraftIsKept } from './journey'

const largest = 'an answer of 50,000 tokens'
/** What else is hostile is shown by the renderer's own tests, in a browser too. */
const cases = {
  'a single line of 1 MB': 'a'.repeat(1_000_000),
  'a table of 10,000 rows': `| n | square |\n|---|---|\n${Array.from({ length: 10_000 }, (_, i) => `| ${i} | ${i * i} |`).join('\n')}`,
  [largest]: Array.from({ length: 5_000 }, (_, i) => `Paragraph ${i} has some words in it, and **bold** ones.`).join(
    '\n\n',
  ),
}

for (const [name, text] of Object.entries(cases)) {
  test(`${name} leaves the page fluid and the chat usable`, name === largest ? {} : deep, async ({ page, gateway }) => {
    test.slow()
    gateway.next({ text, tokensPerSecond: 50_000 })
    await ask(page, 'Go')
    await expect(answers(page).first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Stop' })).toBeHidden({ timeout: 60_000 })
    // The box still takes what is typed, and what is drawn stays bounded.
    await composer(page).pressSequentially('still here')
    await expect(composer(page)).toHaveValue('still here')
    expect(await page.locator('*').count()).toBeLessThan(30_000)

    await untilDraftIsKept(page, new URL(page.url()).hash.slice(1), 'still here')
    await page.reload()
    await expect(answers(page).first()).toBeVisible()
    await expect(composer(page)).toHaveValue('still here')
  })
}
