import { nothingFound } from '@parley/contract/sent-sources'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { dropAnswers } from '../../data/chat/send-message'
import { chooseModel } from '../../data/models/chosen-model'
import { closeLoginPanel, useLoginPanel } from '../../data/session/login-panel'
import { forgetSession } from '../../data/session/stored-session'
import { aMessage, aServer, box, dearModel, freeModel, line } from '../../testing/credit-chat'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aWalletUser, seedSession } from '../../testing/seed-session'

beforeEach(() => localStorage.clear())
afterEach(async () => {
  vi.restoreAllMocks()
  chooseModel(undefined)
  closeLoginPanel()
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  line.forget()
  await cleanUp()
  forgetSession()
})

const server = (webSearch: { price?: string } | undefined = { price: '0.005' }) => {
  const { config, answers } = aServer({ amount: 5, byDefault: freeModel.id })
  return { config: { ...config, sources: false, ...(webSearch && { webSearch }) }, answers }
}
const named = 'Web search, $0.005 each search'
const aSwitch = (name = named) => screen.findByRole('switch', { name })
const isChecked = (button: HTMLElement) => button.getAttribute('aria-checked')
const leaves = 'While web search is on, the search words leave this device.'
/** What the question with this text says of the search. */
const asked = async (text: string) => {
  const found = () => line.questions().find(({ question }) => question === text)
  await waitFor(() => expect(found()).toBeDefined())
  return found()?.enableWebSearch
}
const ask = async (text: string) => {
  const field = await box()
  fireEvent.change(field, { target: { value: text } })
  fireEvent.submit(field.form as HTMLFormElement)
}

it('is switched by the keyboard, tells its price and what leaves, and goes along with the next question [ST-084] [CH-177]', async () => {
  await seedSession()
  const { channelId } = await aMessage()
  const { user } = await renderScreen(`/app#${channelId}`, server())
  const button = await aSwitch()
  expect([isChecked(button), screen.queryByText(leaves, { exact: false })]).toEqual(['false', null])
  button.focus()
  await user.keyboard(' ')
  expect(isChecked(button)).toBe('true')
  expect(await screen.findByText(leaves, { exact: false })).toBeTruthy()
  await waitFor(async () => expect((await localChannels.get(channelId))?.settings).toEqual({ webSearch: true }))
  // It is no setting of the answers.
  expect(screen.getByRole('button', { name: 'Answer settings: As usual' })).toBeTruthy()
  await ask('Why?')
  expect(await asked('Why?')).toBe(true)
  await user.click(button)
  await waitFor(async () => expect((await localChannels.get(channelId))?.settings).toBeUndefined())
})

it('is remembered with each chat, and for new ones by itself [ST-078]', async () => {
  await seedSession()
  const { channelId } = await aMessage()
  const { user, unmount } = await renderScreen('/app', server())
  await user.click(await aSwitch())
  expect(JSON.parse(localStorage.getItem('configsMainChat') ?? '')).toMatchObject({ enableWebSearch: true })
  await ask('What is new?')
  expect(await asked('What is new?')).toBe(true)
  const begun = line.questions()[0]?.channelId ?? ''
  expect((await localChannels.get(begun))?.settings).toEqual({ webSearch: true })
  unmount()
  const other = await renderScreen(`/app#${channelId}`, server())
  expect(isChecked(await aSwitch())).toBe('false')
  await ask('And here?')
  expect(await asked('And here?')).toBe(false)
  other.unmount()
  await renderScreen('/app', server())
  expect(isChecked(await aSwitch())).toBe('true')
})

it('is not there where the server offers no search, and then nothing is asked for', async () => {
  await seedSession()
  const { channelId } = await aMessage()
  await localChannels.configure(channelId, { webSearch: true })
  const { config, answers } = server()
  const { webSearch: _none, ...without } = config
  await renderScreen(`/app#${channelId}`, { config: without, answers })
  await box()
  await screen.findByRole('button', { name: /^Answer settings/ })
  expect([screen.queryByRole('switch', { name: /^Web search/ }), screen.queryByText(leaves)]).toEqual([null, null])
})

it('leads a person who is not signed in to the sign-in, and stays off', async () => {
  const { user } = await renderScreen('/app', server())
  const button = await aSwitch()
  await user.click(button)
  expect([isChecked(button), useLoginPanel.getState().view]).toEqual(['false', 'sign-in'])
})

it('names no price to whoever pays nothing', async () => {
  await seedSession(aWalletUser())
  await renderScreen('/app', server())
  expect(await aSwitch('Web search')).toBeTruthy()
})

it('is in the estimate of an expensive answer, with what it adds to the question', async () => {
  await seedSession()
  chooseModel(dearModel)
  const message = await aMessage({ question: 'x'.repeat(3_968), answer: 'y'.repeat(3_968) })
  const { user } = await renderScreen(`/app#${message.channelId}`, server({ price: '1' }))
  fireEvent.change(await box(), { target: { value: 'Go on' } })
  expect(await screen.findByText('About $0.19 with Big Model')).toBeTruthy()
  await user.click(await aSwitch('Web search, $1.00 each search'))
  // 6,000 tokens more × $0.00001, twice, and the search.
  expect(await screen.findByText('About $1.31 with Big Model')).toBeTruthy()
})

it('that found nothing is told under the answer', async () => {
  await seedSession()
  const { channelId } = await aMessage({ read: [nothingFound] })
  await renderScreen(`/app#${channelId}`, server())
  expect(await screen.findByText('Read: nothing of the web, where no page could be found and read')).toBeTruthy()
})
