import { xlsx } from '../packages/reader/src/testing/office-files'
import { deep } from './deep'
import { answers, ask, expect, test as journey, networkNoise, untilAnswered } from './journey'
import { expectNothing } from './nothing-serious'
import { addDialog, addFiles, askedOf, chip, chooseCloud, citing, numberOf, panel, sourcesBar } from './source-steps'
import { rentFact, startWeb, videoAddress, videoFact, type WebStandIns } from './web-stand-ins'

const test = journey.extend<{ web: WebStandIns }>({
  web: async ({ standIns }, use) => use(await standIns.of(startWeb)),
  environment: async ({ web }, use) => use({ FETCH_ALLOWED_HOSTS: web.site.host, ...web.youtube }),
})

test.use({ signedIn: true, allowedNoise: networkNoise })
// In one worker: their server is nobody else's.
test.describe.configure({ mode: 'default' })

const sheet = {
  name: 'costs.xlsx',
  mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  buffer: Buffer.from(xlsx()),
}

for (const home of ['on the device', 'in the cloud']) {
  test(
    `a website, a video and a spreadsheet of a chat ${home} are read, cited and opened where it stands, on a phone by keyboard [ST-037, ST-141]`,
    home === 'in the cloud' ? deep : {},
    async ({ page, gateway, web, context }) => {
      if (home === 'in the cloud') await chooseCloud(page)
      await page.setViewportSize({ width: 390, height: 844 })
      await addFiles(page, sheet)
      await page.getByRole('button', { name: 'Add sources' }).click()
      const dialog = addDialog(page)
      const links = { Rents: `${web.site.url}/rents`, 'A talk about locks': videoAddress }
      for (const [title, address] of Object.entries(links)) {
        await dialog.getByRole('textbox').fill(address)
        await page.keyboard.press('Enter')
        await expect(dialog.getByRole('listitem').filter({ hasText: title })).toContainText('Processed')
      }
      await expectNothing(page, 'the dialog that adds sources')
      await page.keyboard.press('Escape')
      await expect(sourcesBar(page).getByRole('listitem')).toHaveCount(3)
      expect((await sourcesBar(page).boundingBox())?.height).toBeLessThanOrEqual(251)

      gateway.next(
        citing((n) => `Twice [${n(videoFact)}], by four percent [${n(rentFact)}], and yesterday [${n('ontem')}].`),
      )
      await ask(page, 'How does the lock turn, what do rents do, and what was ontem?')
      const answer = answers(page).first()
      await expect(answer).toContainText('and yesterday')
      await untilAnswered(page)
      const asked = askedOf(gateway)
      const [film, site, table] = [numberOf(asked, videoFact), numberOf(asked, rentFact), numberOf(asked, 'ontem')]
      const read = answer.getByText(/^Read: /)
      for (const what of ['all of costs.xlsx', 'all of A talk about locks', '1 web page'])
        await expect(read).toContainText(what)

      await chip(answer, film).focus()
      await page.keyboard.press('Enter')
      const video = panel(page, 'A talk about locks')
      await expect(video.locator('mark')).toContainText('turns twice')
      await expect(video.getByText('0:31', { exact: true }).first()).toBeVisible()
      // It begins where that is said.
      await expect(video.getByRole('link', { name: videoAddress })).toHaveAttribute('href', `${videoAddress}&t=31s`)
      await expectNothing(page, 'a video on a phone')
      await page.keyboard.press('Escape')
      await expect(chip(answer, film)).toBeFocused()

      await chip(answer, site).focus()
      await page.keyboard.press('Enter')
      const website = panel(page, 'Rents')
      await expect(website.locator('mark').filter({ hasText: 'four percent' })).toBeVisible()
      await expect(website.getByRole('link', { name: `${web.site.url}/rents` })).toBeVisible()
      await expect(website.getByText(/^fetched /)).toBeVisible()
      if (home === 'on the device') await expectNothing(page, 'a source on a phone')
      await page.keyboard.press('Escape')

      await chip(answer, table).focus()
      await page.keyboard.press('Enter')
      const costs = panel(page, 'costs.xlsx')
      await expect(costs.getByText('Sheet 1', { exact: true }).first()).toBeVisible()
      await expect(costs.getByRole('cell', { name: 'ontem' })).toBeVisible()
      await expect(costs.locator('mark').filter({ hasText: 'ontem' })).toBeVisible()
      if (home === 'on the device') await expectNothing(page, 'a file on a phone')
      await page.keyboard.press('Escape')
      await expect(chip(answer, table)).toBeFocused()
      if (home === 'in the cloud') return

      // What was read of them is on the device.
      await context.setOffline(true)
      await chip(answer, site).click()
      await expect(website.locator('mark').filter({ hasText: 'four percent' })).toBeVisible()
      await context.setOffline(false)
    },
  )
}
