import { answers, answerText, ask, composer, expect, networkNoise, test } from './journey'

test.use({ ownServer: true, allowedNoise: new RegExp(`${networkNoise.source}|status of 503`) })

const words = Array.from({ length: 200 }, (_, place) => `word${place}`).join(' ')

test('maintenance during an answer loses nothing: the answer ends, the draft stays, and the app comes back by itself [CH-012, ST-217]', async ({
  page,
  server,
  gateway,
  context,
}) => {
  gateway.next({ text: words, holdAfter: 300 })
  await ask(page, 'Write slowly.')
  await expect(answers(page).first()).toContainText('word20')
  await composer(page).fill('A draft of mine')

  const stopped = server.stop('SIGTERM')
  gateway.release()
  await stopped
  await server.launch({ MAINTENANCE: 'true' })
  const notice = page.getByRole('heading', { name: 'Website under maintenance' })
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(notice).toBeVisible({ timeout: 30_000 })

  const stranger = await context.newPage()
  await stranger.goto(`${server.url}/roadmap`)
  await expect(stranger).toHaveURL(`${server.url}/maintenance?from=%2Froadmap`)
  await expect(stranger.getByRole('heading', { name: 'Website under maintenance' })).toBeVisible()

  await server.stop()
  await server.launch()
  await stranger.bringToFront()
  await expect(stranger).toHaveURL(`${server.url}/roadmap`, { timeout: 30_000 })
  await page.bringToFront()
  await expect(notice).toBeHidden({ timeout: 30_000 })
  await expect.poll(() => answerText(page), { timeout: 30_000 }).toBe(words)
  await expect(composer(page)).toHaveValue('A draft of mine')
})
