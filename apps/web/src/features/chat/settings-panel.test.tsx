import { fireEvent, screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetNewChatSettings } from '../../data/channels/chat-settings'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { dropAnswers } from '../../data/chat/send-message'
import { chooseModel } from '../../data/models/chosen-model'
import { forgetSession } from '../../data/session/stored-session'
import { aMessage, aServer, line } from '../../testing/credit-chat'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'

const thinker = { id: 'm/thinker', name: 'Thinker', free: true, parameters: ['reasoning', 'temperature', 'max_tokens'] }
const fixed = { id: 'm/fixed', name: 'Fixed', free: true, parameters: [] }

beforeEach(async () => {
  localStorage.clear()
  await seedSession()
})
afterEach(async () => {
  vi.restoreAllMocks()
  chooseModel(undefined)
  forgetNewChatSettings()
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  line.forget()
  await cleanUp()
  forgetSession()
})

const server = (model: { id: string } = thinker) => {
  const { config, answers } = aServer({ amount: 5, byDefault: model.id })
  return { config, answers: { ...answers, 'GET /models': () => ({ status: 200, body: { data: [thinker, fixed] } }) } }
}
const button = (state: 'As usual' | 'Changed') => screen.findByRole('button', { name: `Answer settings: ${state}` })
const panel = () => screen.findByRole('dialog', { name: 'Answers in this chat' })
const slider = () => screen.findByRole<HTMLInputElement>('slider', { name: 'Temperature' })
const slide = async (value: number) => fireEvent.change(await slider(), { target: { value } })
const radio = (name: string) => screen.findByRole<HTMLInputElement>('radio', { name })
/** Nothing can be chosen before it is known what the model takes. */
const choose = async (user: UserEvent, name: string) => {
  const option = await radio(name)
  await waitFor(() => expect(option).toHaveProperty('disabled', false))
  await user.click(option)
}
const instructions = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Instructions' })
const tokens = () => screen.findByRole<HTMLInputElement>('textbox', { name: 'Tokens at most' })
const settingsOf = async (id: string) => (await localChannels.get(id))?.settings

describe('the settings of a chat', () => {
  it('are kept as they are changed, said on the button, and go along with the next question', async () => {
    const { channelId } = await aMessage()
    const { user } = await renderScreen(`/app#${channelId}`, server())
    await user.click(await button('As usual'))
    expect(await radio('Auto')).toHaveProperty('checked', true)
    await choose(user, 'High')
    await slide(0.7)
    expect((await slider()).getAttribute('aria-valuetext')).toBe('0.7')
    await choose(user, 'Short')
    await user.type(await instructions(), 'Be brief. ')
    expect(screen.getByText('10 of 4,000')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(document.activeElement).toBe(await button('Changed'))
    const settings = { effort: 'high', temperature: 0.7, answerTokens: 300, instructions: 'Be brief.' }
    await waitFor(async () => expect(await settingsOf(channelId)).toEqual(settings))
    await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'Why?{Enter}')
    await waitFor(() => expect(line.questions()).toHaveLength(1))
    expect(line.questions()[0]?.settings).toEqual(settings)
  })

  it('are back with Reset, and each with its own way', async () => {
    const { channelId } = await aMessage()
    await localChannels.configure(channelId, {
      effort: 'low',
      temperature: 1,
      answerTokens: 777,
      instructions: 'Mine.',
    })
    const { user } = await renderScreen(`/app#${channelId}`, server())
    await user.click(await button('Changed'))
    expect(await tokens()).toHaveProperty('value', '777')
    await user.click(await screen.findByRole('button', { name: "Use the agent's default" }))
    expect(document.activeElement).toBe(await slider())
    expect((await slider()).getAttribute('aria-valuetext')).toBe("Agent's default")
    await waitFor(async () => expect(await settingsOf(channelId)).not.toHaveProperty('temperature'))
    await user.clear(await tokens())
    expect(await radio('As the model likes')).toHaveProperty('checked', true)
    const reset = screen.getByRole('button', { name: 'Reset all' })
    await user.click(reset)
    expect(document.activeElement).toBe(reset)
    expect([await instructions(), reset.getAttribute('aria-disabled')]).toMatchObject([{ value: '' }, 'true'])
    await user.keyboard('{Escape}')
    await waitFor(async () => expect(await settingsOf(channelId)).toBeUndefined())
    await button('As usual')
  })

  it('are stored where the panel is closed at once', async () => {
    const { channelId } = await aMessage()
    const { user } = await renderScreen(`/app#${channelId}`, server())
    await user.click(await button('As usual'))
    const [field, close] = [await instructions(), screen.getByRole('button', { name: 'Close' })]
    fireEvent.change(field, { target: { value: 'Rhyme.' } })
    fireEvent.click(close)
    await waitFor(async () => expect(await settingsOf(channelId)).toEqual({ instructions: 'Rhyme.' }))
  })

  it('that the model does not take are a sentence in their place, and stay for those that do', async () => {
    const { channelId } = await aMessage()
    await localChannels.configure(channelId, { effort: 'low', temperature: 1, answerTokens: 300 })
    const { user } = await renderScreen(`/app#${channelId}`, server(fixed))
    await user.click(await button('Changed'))
    expect(await screen.findByText('Fixed does not let you choose how long it thinks.')).toBeTruthy()
    expect(screen.getByText('Fixed takes no temperature.')).toBeTruthy()
    expect(screen.getByText('Fixed takes no limit. It is only asked for the length.')).toBeTruthy()
    await user.type(await instructions(), 'Rhyme.')
    await waitFor(async () =>
      expect(await settingsOf(channelId)).toEqual({
        ...{ effort: 'low', temperature: 1, answerTokens: 300 },
        instructions: 'Rhyme.',
      }),
    )
  })

  it('take no length that is none, and keep the one before', async () => {
    const { channelId } = await aMessage()
    const { user } = await renderScreen(`/app#${channelId}`, server())
    await user.click(await button('As usual'))
    await choose(user, 'Long')
    for (const bad of ['12', '1.5', '99999', 'many']) {
      await user.clear(await tokens())
      await choose(user, 'Long')
      fireEvent.change(await tokens(), { target: { value: bad } })
      expect(await screen.findByText('Enter a whole number from 50 to 32,000.')).toBeTruthy()
    }
    await user.keyboard('{Escape}')
    await waitFor(async () => expect(await settingsOf(channelId)).toEqual({ answerTokens: 4_000 }))
  })

  it('of a chat that is not there yet are those that its first question makes it with', async () => {
    const { user } = await renderScreen('/app', server())
    await user.click(await button('As usual'))
    await choose(user, 'Low')
    await user.type(await instructions(), 'Rhyme.')
    await user.keyboard('{Escape}')
    await button('Changed')
    await user.type(await screen.findByRole('textbox', { name: 'Message' }), 'Why?{Enter}')
    await waitFor(() => expect(line.questions()).toHaveLength(1))
    const settings = { effort: 'low', instructions: 'Rhyme.' }
    expect(line.questions()[0]?.settings).toEqual(settings)
    expect((await localChannels.list())[0]?.settings).toEqual(settings)
    await user.click(screen.getByRole('button', { name: /New chat/ }))
    await button('As usual')
  })

  it('that cannot be stored are said so, and stored with the next change', async () => {
    const { channelId } = await aMessage()
    const { user } = await renderScreen(`/app#${channelId}`, server())
    await user.click(await button('As usual'))
    const configure = vi.spyOn(localChannels, 'configure').mockRejectedValueOnce(new Error('full'))
    await choose(user, 'High')
    expect(await screen.findByText('The settings could not be saved.')).toBeTruthy()
    expect(await radio('High')).toHaveProperty('checked', true)
    await slide(0.3)
    await waitFor(async () => expect(await settingsOf(channelId)).toEqual({ effort: 'high', temperature: 0.3 }))
    expect(configure).toHaveBeenCalledTimes(2)
  })

  it('of another person’s chat can be read only', async () => {
    const shared = {
      ...{ id: 'theirs', userId: 'u2', channelName: 'Theirs', assistantId: null, source: 'postgresql' },
      ...{ isDocument: false, isImage: false, isYoutube: false, isLocked: false, isLocalChannel: false },
      ...{ created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' },
      ...{ role: 'write', ownerName: 'Bruno', settings: { temperature: 0.4, instructions: 'Theirs.' } },
    }
    const { config, answers } = server()
    const all = { 'GET /api/channel': () => ({ status: 200, body: { channels: [shared], documents: [] } }) }
    const { user } = await renderScreen('/app#theirs', { config, answers: { ...answers, ...all } })
    await user.click(await button('Changed'))
    expect(await screen.findByText('Only the owner of this chat can change these settings.')).toBeTruthy()
    expect([await slider(), await instructions(), await radio('High')]).toMatchObject([
      { disabled: true, value: '0.4' },
      { disabled: true, value: 'Theirs.' },
      { disabled: true },
    ])
    expect(screen.queryByRole('button', { name: 'Reset all' })).toBeNull()
    expect(await panel()).toBeTruthy()
  })
})
