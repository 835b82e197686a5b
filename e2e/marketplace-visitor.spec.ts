import { deep } from './deep'
import { aMaker, cardOf, info, tab } from './marketplace-steps'
import {
  ana,
  bruno,
  enter,
  expect,
  panelOf,
  refusalNoise,
  seeToast,
  signIn,
  signInButton,
  signUp,
  test,
} from './people'
import { short } from './short'

test.use({ emptyTables: true })

test.describe('a visitor', () => {
  test.use({ allowedNoise: refusalNoise })

  test(
    'looks around, opens a shared link, copies it, and is told what is private or gone [AG-001, AG-004, AG-005, AG-082, AG-083, AG-084, AG-085]',
    deep,
    async ({ page, server, context }) => {
      await context.grantPermissions(['clipboard-read', 'clipboard-write'])
      const maker = await aMaker(server, bruno)
      const languages = (['en', 'pt', 'es'] as const).map((language, place) => ({
        language,
        role: ['Knows the coast', 'Conhece a costa', 'Conoce la costa'][place] ?? '',
        about: `About, ${language}`,
        prompt: 'CANARY',
      }))
      const open = await maker.make({ name: 'Farol', languages })
      const hidden = await maker.make({ name: 'Hidden', private: true })

      await page.goto(`${server.url}/assistants`)
      await expect(page.getByRole('heading', { level: 1, name: 'Agents' })).toBeVisible()
      for (const name of ['Top picks', 'Parley', 'Community', 'My Agents', 'SUI'])
        await expect(tab(page, name)).toBeVisible()
      await expect(page.getByRole('region', { name: 'Trending' }).getByRole('article')).toHaveCount(1)
      await expect(cardOf(page, 'Farol')).toContainText('Knows the coast')
      const box = page.getByRole('searchbox', { name: 'Search agents' })
      await box.fill('zzzqqq')
      await expect(page.getByRole('heading', { name: 'No assistants found for "zzzqqq"' })).toBeVisible()
      await box.fill('farol')
      await expect(page.getByRole('heading', { name: 'Found 1 result for "farol"' })).toBeVisible()

      await page.goto(`${server.url}/assistant/${open._id}`)
      const dialog = info(page, 'Knows the coast')
      await expect(dialog.getByRole('heading', { name: 'Knows the coast' })).toBeVisible()
      await expect(dialog).toContainText('Created by bruno')
      await expect(dialog.getByRole('button', { name: 'Start chat' })).toBeVisible()
      await dialog.getByRole('button', { name: 'Share', exact: true }).click()
      await seeToast(page, 'Link copied!')
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}/assistant/${open._id}`)
      await page.keyboard.press('Escape')
      await expect(page).toHaveURL(`${server.url}/assistants`)

      for (const [id, text] of [
        [hidden._id, 'This assistant is private.'],
        ['nobody-has-this-one', 'Assistant not found.'],
      ] as const) {
        await page.goto(`${server.url}/assistant/${id}`)
        const problem = page.getByRole('dialog', { name: text })
        await problem.getByRole('button', { name: 'Back to assistants' }).click()
        await expect(page).toHaveURL(`${server.url}/assistants`)
        await expect(problem).toBeHidden()
      }
    },
  )
})

test(
  'a visitor who clicks a card signs in, and the agent is there; every call is one to this server [AG-025, AG-041, CH-024, CH-030]',
  short,
  async ({ page, server }) => {
    const hosts = new Set<string>()
    page.on('request', (request) => hosts.add(new URL(request.url()).host))
    const maker = await aMaker(server, bruno)
    await maker.make()
    await signUp(server, ana)
    await page.getByRole('navigation').getByRole('button', { name: 'Agents' }).click()
    await expect(page.getByRole('dialog', { name: 'Welcome back' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page).toHaveURL(`${server.url}/app`)

    await page.goto(`${server.url}/assistants`)
    await expect(page.getByRole('button', { name: 'Publish' })).toHaveCount(0)
    await expect(signInButton(page)).toBeVisible()
    await cardOf(page, 'Lighthouse keeper').getByRole('link').click()
    await expect(panelOf(page).panel).toBeVisible()
    await enter(page, ana)
    await expect(info(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Publish' })).toBeVisible()
    await page.setViewportSize({ width: 461, height: 844 })
    await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeVisible()
    expect([...hosts]).toEqual([new URL(server.url).host])
  },
)

test('Publish reads Create where it is narrow, and the menu of the account leads here [AG-008, CH-167]', async ({
  page,
  server,
}) => {
  await signUp(server, ana)
  await signIn(page, ana)
  await page.getByRole('button', { name: /: Account$/ }).click()
  await page.getByRole('link', { name: 'Agents' }).click()
  await expect(page).toHaveURL(`${server.url}/assistants`)
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toBeVisible()
  await page.setViewportSize({ width: 460, height: 844 })
  await expect(page.getByRole('button', { name: 'Create', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Publish', exact: true })).toHaveCount(0)
})
