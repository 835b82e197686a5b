import { deep } from './deep'
import { ana, answers, ask, bruno, chatRows, databaseNames, expect, logOut, signIn, signUp } from './people'
import { short } from './short'
import {
  lockScreen,
  markers,
  passphrase,
  plantMarkers,
  seeMarkers,
  setPassphrase,
  signInLocked,
  test,
  unlock,
} from './vault-steps'

test(
  'after logout no file of the browser holds a word of the chats or a byte of their keys, and the next sign-in of the account opens them [CH-074]',
  short,
  async ({ profile, server, gateway }) => {
    await signUp(server, ana)
    let page = await profile.open(`${server.url}/app`)
    await signIn(page, ana)
    await plantMarkers(page, gateway)
    await profile.close()
    // The search finds what is there: while the account is signed in its key lies on the device.
    expect(profile.keys.length).toBeGreaterThan(2)
    expect(profile.keyHolders()).not.toEqual([])

    page = await profile.open(`${server.url}/app`)
    await seeMarkers(page)
    await logOut(page)
    await expect(chatRows(page)).toHaveCount(0)
    await profile.close()
    expect(profile.holders(Object.values(markers))).toEqual([])
    expect(profile.keyHolders()).toEqual([])

    page = await profile.open(`${server.url}/app`)
    await signIn(page, ana)
    await seeMarkers(page)
    // Within one life of the browser too: nothing was written to the disk by closing it.
    await logOut(page)
    await profile.close()
    expect(profile.holders(Object.values(markers))).toEqual([])
    expect(profile.keyHolders()).toEqual([])
  },
)

test('locked with a passphrase, no file of the browser holds a word of the chats or a byte of their keys, and only the passphrase opens them', async ({
  profile,
  server,
  gateway,
}) => {
  await signUp(server, ana)
  let page = await profile.open(`${server.url}/app`)
  await signIn(page, ana)
  await plantMarkers(page, gateway)
  await setPassphrase(page)
  await page.getByRole('button', { name: 'Lock now' }).click()
  await expect(lockScreen(page)).toBeVisible()
  await profile.close()
  expect(profile.keys.length).toBeGreaterThan(2)
  expect(profile.holders([...Object.values(markers), passphrase])).toEqual([])
  expect(profile.keyHolders()).toEqual([])

  page = await profile.open(`${server.url}/app`)
  await expect(lockScreen(page)).toBeVisible()
  await unlock(page)
  await seeMarkers(page)
  // Unlocked, it is as safe from whoever copies the folder.
  await profile.close()
  expect(profile.holders([...Object.values(markers), passphrase])).toEqual([])
  expect(profile.keyHolders()).toEqual([])
})

test(
  'another account of the same browser sees nothing of the first one, and both keep their own',
  deep,
  async ({ page, server, gateway }) => {
    await signUp(server, ana)
    await signUp(server, bruno)
    await signIn(page, ana)
    await plantMarkers(page, gateway)
    await setPassphrase(page)
    await logOut(page)

    await signIn(page, bruno)
    await expect(lockScreen(page)).toBeHidden()
    await expect(chatRows(page)).toHaveCount(0)
    gateway.next({ text: 'For Bruno alone.' })
    await ask(page, 'Whose is this?')
    await expect(answers(page).first()).toContainText('For Bruno alone.')
    await expect(page.getByText(markers.name)).toHaveCount(0)
    expect((await databaseNames(page)).filter((name) => /^parley-[\da-f-]{36}$/.test(name))).toHaveLength(2)
    await logOut(page)

    await signInLocked(page)
    await unlock(page)
    await seeMarkers(page)
    await expect(chatRows(page)).toHaveCount(1)
    await logOut(page)
    await signIn(page, bruno)
    await expect(chatRows(page)).toHaveCount(1)
    await chatRows(page).getByRole('link').click()
    await expect(answers(page).first()).toContainText('For Bruno alone.')
  },
)

test(
  'an answer that is being written while the passphrase is set is kept whole',
  deep,
  async ({ page, server, gateway }) => {
    await signUp(server, ana)
    await signIn(page, ana)
    await plantMarkers(page, gateway)
    const text = Array.from({ length: 80 }, (_, index) => `word${index}`).join(' ')
    gateway.next({ text, tokensPerSecond: 20, holdAfter: 400 })
    await ask(page, 'A long one')
    await expect(answers(page).nth(1)).toContainText('word3')
    await setPassphrase(page)
    gateway.release()
    await page.goBack()
    await expect(answers(page).nth(1)).toContainText('word79', { timeout: 20_000 })
    await expect(answers(page).nth(1)).toHaveAttribute('data-status', 'completed')
    await page.reload()
    await unlock(page)
    await expect(answers(page).nth(1).locator('[data-answer-text]')).toHaveText(text)
  },
)
