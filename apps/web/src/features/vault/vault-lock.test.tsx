// A person sets the lock and lives with it: the whole app over the real vault. The slow hash of a passphrase is a quick
// one here; the real one is tested in a browser (account-vault.browser.test.ts).
import type { ServerFrame } from '@parley/contract/chat'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { utf8 } from '../../data/local/bytes'
import { announceHere } from '../../data/local/changes'
import { forgetSession } from '../../data/session/stored-session'
import { setPassphrase, unlockVault, useVault, watchVault } from '../../data/vault/vault-state'
import { box, line } from '../../testing/queue-chat'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { aUser, seedSession } from '../../testing/seed-session'

vi.mock('../../data/local/passphrase', async (original) => ({
  ...(await original<typeof import('../../data/local/passphrase')>()),
  passphraseSecret: async (passphrase: string) =>
    new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(passphrase))),
}))

const passphrase = 'seven quiet herons'
const reload = vi.fn()
let userId = ''

beforeEach(async () => {
  localStorage.clear()
  line.forget()
  reload.mockReset()
  vi.spyOn(location, 'reload').mockImplementation(reload)
  // A vault of its own for each test.
  userId = crypto.randomUUID()
  await seedSession(aUser({ id: userId }))
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  await cleanUp()
  forgetSession()
})

/** Looks whether it is time to lock, as the page does every five seconds. */
let lookAtTime = (): void => undefined
beforeAll(async () => {
  const timers = vi.spyOn(globalThis, 'setInterval')
  await watchVault()
  const [look] = timers.mock.calls.find(([, ms]) => ms === 5_000) ?? []
  if (!look) throw new Error('nothing looks at the time')
  lookAtTime = () => Reflect.apply(look, undefined, [])
})
/** The app at an address, with the vault of the person who is signed in. */
async function theApp(address: string) {
  const view = await renderScreen(address, { answers: line.answers })
  await act(async () => announceHere({ kind: 'vault' }))
  await vi.waitFor(() => expect(useVault.getState()).toMatchObject({ status: 'open', settings: { level: 'sealed' } }))
  return view
}

/** What a reload does to the keys of this page. */
async function loadAnew(): Promise<void> {
  await act(async () => announceHere({ kind: 'vault' }))
  await vi.waitFor(() => expect(useVault.getState().status).toBe('locked'))
}

it('with the keyboard alone the lock is set, opened by the passphrase and removed, each level said in plain words', async () => {
  const { user } = await theApp('/settings?tab=security')
  const tabTo = async (find: () => HTMLElement): Promise<void> => {
    for (let presses = 0; presses < 80 && document.activeElement !== find(); presses++) await user.tab()
    expect(document.activeElement).toBe(find())
  }
  const button = (name: string) => () => screen.getByRole('button', { name })
  const isSealed = async (): Promise<void> => {
    expect(await screen.findByText(/the key lies on this device: whoever can copy its files/)).toBeTruthy()
    expect(screen.getByText(/When you log out the key is erased/)).toBeTruthy()
  }
  await isSealed()
  await tabTo(button('Set passphrase'))
  await user.keyboard('{Enter}')
  const dialog = within(await screen.findByRole('dialog'))
  for (const label of ['New passphrase', 'Repeat passphrase']) {
    await tabTo(() => dialog.getByLabelText(label))
    await user.keyboard(passphrase)
  }
  await tabTo(() => dialog.getByLabelText('I have kept the code'))
  await user.keyboard(' ')
  await tabTo(() => dialog.getByRole('button', { name: 'Save' }))
  await user.keyboard('{Enter}')
  expect(await screen.findByText('Your chats are locked with the passphrase now.')).toBeTruthy()
  expect(screen.getByText(/The key is in memory only/)).toBeTruthy()
  expect(screen.getByText(/A program that watches this browser while it is unlocked still could/)).toBeTruthy()
  expect(screen.queryByRole('dialog')).toBeNull()

  await tabTo(button('Lock now'))
  await user.keyboard('{Enter}')
  expect(reload).toHaveBeenCalledOnce()
  await loadAnew()
  // Ready to be typed into.
  const field = await screen.findByLabelText('Passphrase')
  expect(document.activeElement).toBe(field)
  await tabTo(button('Use the recovery code'))
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(screen.getByLabelText('Recovery code'))
  await tabTo(button('Use the passphrase'))
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(screen.getByLabelText('Passphrase'))
  await user.keyboard(`${passphrase}{Enter}`)
  await screen.findByText(/The key is in memory only/)
  await tabTo(button('Remove'))
  await user.keyboard('{Enter}')
  expect(await screen.findByText('The passphrase was removed.')).toBeTruthy()
  await isSealed()
})

it('a browser that lets nothing be copied says so, and the recovery code stays to be written down', async () => {
  const { user } = await theApp('/settings?tab=security')
  await user.click(screen.getByRole('button', { name: 'Set passphrase' }))
  const dialog = within(await screen.findByRole('dialog'))
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  await user.click(dialog.getByRole('button', { name: 'Copy' }))
  expect(await screen.findByText(/could not be copied/i)).toBeTruthy()
  expect(dialog.getByText(/^[0-9A-Z]{4}-/)).toBeTruthy()
})

it('locks by itself after the chosen minutes without activity and not before, also after a sleep, and chooses them for good', async () => {
  const { user } = await theApp('/settings?tab=security')
  await act(() => setPassphrase(passphrase, 'AAAA'))
  await user.selectOptions(await screen.findByLabelText('Lock after inactivity'), '5 minutes')
  await vi.waitFor(() => expect(useVault.getState().settings?.idleMinutes).toBe(5))
  await loadAnew()
  await act(() => unlockVault(passphrase, 'passphrase'))
  expect(useVault.getState().settings?.idleMinutes).toBe(5)

  vi.useFakeTimers({ toFake: ['Date'] })
  const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000)
  pass(4)
  lookAtTime()
  fireEvent.keyDown(document.body, { key: 'Shift' })
  pass(4.5)
  lookAtTime()
  expect(reload).not.toHaveBeenCalled()
  pass(1)
  lookAtTime()
  expect(reload).toHaveBeenCalledOnce()
  // No timer ran in a sleep: the page looks when it is looked at.
  dispatchEvent(new Event('focus'))
  expect(reload).toHaveBeenCalledTimes(2)
})

it('an answer that is being written while the passphrase is set is kept whole', async () => {
  const [channel] = await seedChannels('Lease')
  const channelId = channel?.id ?? ''
  const { user } = await theApp(`/app#${channelId}`)
  await user.type(await box(), 'What is a lien?{Enter}')
  await vi.waitFor(() => expect(line.questions()).toHaveLength(1))
  const messageId = line.questions()[0]?.messageId ?? ''
  const push = (frame: object): void => line.push({ messageId, mId: messageId, ...frame } as ServerFrame)
  push({ event: 'accepted', seq: 1, model: 'm' })
  push({ event: 'content', seq: 2, content: 'A right to keep' })
  await screen.findByText('A right to keep')
  await act(() => setPassphrase(passphrase, 'AAAA'))
  push({ event: 'content', seq: 3, content: ' a thing.' })
  const text = await screen.findByText('A right to keep a thing.').then(({ textContent }) => textContent ?? '')
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', utf8(text)))
  const sha256 = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const message = { mId: messageId, chat_response: { role: 'assistant', content: text } }
  push({ event: 'end', seq: 4, message, length: text.length, sha256 })
  const kept = async () => localChannels.message(channelId, messageId)
  await vi.waitFor(async () => expect(await kept()).toMatchObject({ status: 'completed' }))
  await loadAnew()
  await expect(kept()).rejects.toMatchObject({ code: 'vault.locked' })
  await act(() => unlockVault(passphrase, 'passphrase'))
  expect(await kept()).toMatchObject({
    ...{ status: 'completed', chat_request: 'What is a lien?' },
    chat_response: { content: 'A right to keep a thing.' },
  })
})

it('another account of this browser is asked for no passphrase and sees nothing of the first one, which stays locked', async () => {
  await theApp('/app')
  await localChannels.create({ assistantId: null, channelName: 'Of Ana' })
  expect(await screen.findByRole('link', { name: /Of Ana/ })).toBeTruthy()
  await act(() => setPassphrase(passphrase, 'AAAA'))
  const signIn = (id: string): Promise<void> =>
    act(async () => {
      forgetSession()
      await seedSession(aUser({ id }))
      announceHere({ kind: 'vault' })
    })
  await signIn(crypto.randomUUID())
  await vi.waitFor(() => expect(useVault.getState()).toMatchObject({ status: 'open', settings: { level: 'sealed' } }))
  await vi.waitFor(() => expect(screen.queryByText('Of Ana')).toBeNull())
  expect(await localChannels.list()).toEqual([])
  await signIn(userId)
  await vi.waitFor(() => expect(useVault.getState().status).toBe('locked'))
  await expect(localChannels.list()).rejects.toMatchObject({ code: 'vault.locked' })
  await act(() => unlockVault(passphrase, 'passphrase'))
  expect((await localChannels.list()).map(({ channelName }) => channelName)).toEqual(['Of Ana'])
})
