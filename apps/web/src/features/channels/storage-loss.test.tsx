import { screen, waitFor, within } from '@testing-library/react'
import { deleteDB } from 'idb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { forgetSession } from '../../data/session/stored-session'
import { forgetDevice, openDevice } from '../../data/vault/open-device'
import { setLanguage } from '../../i18n/i18n'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'

beforeEach(async () => {
  localStorage.clear()
  forgetSession()
  await seedChannels('Lease clauses')
  await localChannels.list()
  const { db } = await openDevice()
  db.close()
  forgetDevice()
  await deleteDB(db.name)
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await cleanUp()
  await setLanguage('en-US')
})

const today = (language: string) =>
  new RegExp(new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date()))

it('chats that the browser removed are not shown as none: the list says that they are gone, since when, and what helps, until that is dismissed', async () => {
  const { user } = await renderScreen('/app', { config: { signInMethods: ['email'] } })
  const notice = within(await screen.findByRole('region', { name: 'The chats on this device are gone' }))
  expect(screen.queryByText(/No chats yet/)).toBeNull()
  expect(notice.getByText(today('en-US'))).toBeTruthy()
  expect(await notice.findByRole('button', { name: 'Sign in' })).toBeTruthy()
  expect(notice.getByRole('link', { name: 'Import a backup' })).toBeTruthy()
  await user.click(notice.getByRole('button', { name: 'Dismiss' }))
  expect(screen.queryByRole('region', { name: 'The chats on this device are gone' })).toBeNull()
  expect(await screen.findByText(/No chats yet/)).toBeTruthy()
})

it.each([
  [true, 'This browser keeps your chats now.'],
  [false, /^This browser has refused\./],
])('the browser is asked to keep the chats from now on; it says %s', async (answer, text) => {
  const persist = vi.fn(async () => answer)
  vi.stubGlobal('navigator', Object.create(navigator, { storage: { value: { persist } } }))
  const { user } = await renderScreen()
  await user.click(await screen.findByRole('button', { name: 'Keep on this device' }))
  await waitFor(() => expect(persist).toHaveBeenCalledOnce())
  expect(await screen.findByText(text)).toBeTruthy()
})

it.each([
  ['pt-BR', 'As conversas deste dispositivo se perderam'],
  ['es-ES', 'Los chats de este dispositivo se han perdido'],
])('in %s it says so too', async (language, name) => {
  await renderScreen()
  await setLanguage(language)
  const notice = within(await screen.findByRole('region', { name }))
  expect(notice.getByText(today(language))).toBeTruthy()
})
