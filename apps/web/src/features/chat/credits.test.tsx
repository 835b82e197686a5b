import type { Message } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits'
import { uuidv7 } from '@parley/contract/uuid'
import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useNoCredits } from '../../data/billing/no-credits-state'
import { writeDraft } from '../../data/channels/drafts'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { dropAnswers, resendMessage } from '../../data/chat/send-message'
import { chooseModel } from '../../data/models/chosen-model'
import { forgetSession } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import { aChatLine } from '../../testing/chat-line'
import { defaultModel } from '../../testing/many-models'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp, seedChannels } from '../../testing/seed-channels'
import { aUser, aWalletUser, seedSession } from '../../testing/seed-session'

const line = aChatLine()

beforeEach(() => {
  localStorage.clear()
  forgetSession()
  chooseModel(undefined)
  useNoCredits.setState({ isOpen: false, isShort: false })
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  writeDraft('new', '')
  line.forget()
  await cleanUp()
})

const freeModel = { id: 'meta-llama/llama-3.1-8b-instruct:free', name: 'Llama 3.1 8B (free)', free: true }
const dearModel = { ...defaultModel, id: 'big/model', name: 'Big Model', pricing: { prompt: '0.00001', completion: '0.0001' } }

const subscriber = () => aUser({ app_metadata: { kind: 'email', subscription: { product_name: 'Plus', current_period_end: inAnHour() } } })
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

type World = { amount?: number | 'unknown'; period?: boolean; models?: 'gateway' | 'local'; byDefault?: string; methods?: ('pix' | 'card')[]; markup?: string }

/** A server that sells credits, with models that cost something and one that does not. */
function aServer({ amount = 0.5, period = false, models = 'gateway', byDefault = defaultModel.id, methods = ['card'], markup = '2' }: World = {}) {
  const ends = { current_period_start: new Date().toISOString(), current_period_end: inAnHour(), product_name: 'Plus' }
  return {
    config: {
      models,
      defaultModel: byDefault,
      signInMethods: ['email' as const],
      payments: { methods, minDollars: 1, maxDollars: 10_000 },
      creditMarkup: markup,
    },
    answers: {
      ...line.answers,
      'GET /models': () => ({ status: 200, body: { data: [defaultModel, freeModel, dearModel] } }),
      'GET /api/billing/credit/user': () => (amount === 'unknown' ? { status: 500, body: { code: 'server-error' } } : { status: 200, body: { amount } }),
      'GET /api/billing/subscription/user': () => (period ? { status: 200, body: ends } : { status: 404, body: { code: 'not-found' } }),
    },
  }
}

const box = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
const notEnough = "You don't have enough credits to send a message, please buy credits."
const minimum = 'You need at least 1 dollar in credits to send a message.'
const dialog = () => screen.findByRole('dialog', { name: 'Not enough credits' })
const isShort = () => waitFor(() => expect(useNoCredits.getState().isShort).toBe(true))

describe('without enough credits', () => {
  it('a question to a model that costs something opens the dialog instead, and stays in its box [ST-051, ST-053, ST-057, ST-058]', async () => {
    await seedSession()
    const { user } = await renderScreen('/app', aServer({ amount: 0.999999 }))
    await isShort()
    await user.type(await box(), 'What is a lien?{Enter}')
    expect(within(await dialog()).getByText(notEnough)).toBeTruthy()
    expect(within(await dialog()).getByText(minimum)).toBeTruthy()
    await user.click(within(await dialog()).getByRole('button', { name: 'Maybe later' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(await box()).toHaveProperty('value', 'What is a lien?')
    expect(await localChannels.list()).toEqual([])
    expect(line.questions()).toEqual([])
  })

  it('a question that is asked before it is known whether its model costs anything waits until it is: no chat is made for nothing [ST-051, ST-057]', async () => {
    await seedSession()
    let list = (): void => undefined
    const listed = new Promise<void>((resolve) => {
      list = resolve
    })
    const { config, answers } = aServer({ amount: 0 })
    const slow = async () => {
      await listed
      return answers['GET /models']()
    }
    const { user } = await renderScreen('/app', { config, answers: { ...answers, 'GET /models': slow } })
    await waitFor(() => expect(useNoCredits.getState().isShort).toBeUndefined())
    await user.type(await box(), 'What is a lien?{Enter}')
    expect(screen.queryByRole('dialog')).toBeNull()
    list()
    expect(within(await dialog()).getByText(notEnough)).toBeTruthy()
    expect(await box()).toHaveProperty('value', 'What is a lien?')
    expect([await localChannels.list(), line.questions()]).toEqual([[], []])
  })

  it('a question asked in the moment of signing in waits for the balance: no chat is made for nothing, and what is typed meanwhile stays [ST-051, ST-057]', async () => {
    let tell = (): void => undefined
    const told = new Promise<void>((resolve) => {
      tell = resolve
    })
    const { config, answers } = aServer({ amount: 0 })
    const slow = async () => {
      await told
      return answers['GET /api/billing/credit/user']()
    }
    const { user } = await renderScreen('/app', { config, answers: { ...answers, 'GET /api/billing/credit/user': slow } })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    await seedSession()
    await user.type(await box(), 'What is a lien?{Enter} And a pledge?')
    await vi.advanceTimersByTimeAsync(2 * limits.credits.shortageMs)
    expect([await localChannels.list(), line.questions()]).toEqual([[], []])
    tell()
    expect(within(await dialog()).getByText(notEnough)).toBeTruthy()
    expect(await box()).toHaveProperty('value', 'What is a lien? And a pledge?')
    expect([await localChannels.list(), line.questions()]).toEqual([[], []])
  })

  it.each<[string, World, () => Promise<unknown>]>([
    ['one dollar is enough [ST-053, CH-155]', { amount: 1 }, () => seedSession()],
    ['a subscription needs none [ST-051, CH-155]', { amount: 0, period: true }, () => seedSession(subscriber())],
    ['a wallet needs none [CH-155]', { amount: 0 }, () => seedSession(aWalletUser())],
    ['a free model needs none [ST-052]', { amount: 0, byDefault: freeModel.id }, () => seedSession()],
    ['an amount that is not known is the server’s to judge', { amount: 'unknown' }, () => seedSession()],
    ['a model server of one’s own needs none [ST-052]', { amount: 0, models: 'local' }, () => seedSession()],
    ['somebody who is not signed in goes on as before [ST-050]', { amount: 0 }, async () => undefined],
  ])('%s', async (_promise, world, arrange) => {
    await arrange()
    const { user } = await renderScreen('/app', aServer(world))
    await waitFor(() => expect(screen.queryByText('$0.00') ?? screen.queryByText('$1.00') ?? screen.queryByText(/Web3|Monthly|not known|Guest/)).toBeTruthy())
    await user.type(await box(), 'What is a lien?{Enter}')
    await waitFor(() => expect(line.questions().map(({ question }) => question)).toEqual(['What is a lien?']))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('a free model may be chosen, and is asked [ST-052]', async () => {
    await seedSession()
    const { user } = await renderScreen('/app', aServer())
    await isShort()
    chooseModel(freeModel)
    await waitFor(() => expect(useNoCredits.getState().isShort).toBe(false))
    await user.type(await box(), 'What is a lien?{Enter}')
    await waitFor(() => expect(line.questions().map(({ model }) => model)).toEqual([freeModel.id]))
  })

  it('it goes out all the same where the server passes no cost on', async () => {
    await seedSession()
    const { user } = await renderScreen('/app', aServer({ markup: '0' }))
    await user.type(await box(), 'What is a lien?{Enter}')
    await waitFor(() => expect(line.questions().map(({ question }) => question)).toEqual(['What is a lien?']))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('a question asked without a network waits for it, as ever', async () => {
    await seedSession()
    const { user } = await renderScreen('/app', aServer())
    await isShort()
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    await user.type(await box(), 'What is a lien?{Enter}')
    await waitFor(async () => expect((await outbox.list()).map(({ body }) => body.question)).toEqual(['What is a lien?']))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('the question goes out as soon as credits have arrived [ST-097]', async () => {
    await seedSession()
    const { user } = await renderScreen('/app', aServer())
    await isShort()
    await waitFor(() => expect(line.isOpen()).toBe(true))
    line.push({ event: 'credits-updated', content: 5.5 })
    await screen.findByText('$5.50')
    await user.type(await box(), 'What is a lien?{Enter}')
    await waitFor(() => expect(line.questions()).toHaveLength(1))
  })

  it.each(['Resend', 'Regenerate', 'Continue'])('%s opens the dialog as well, and changes nothing [ST-051]', async (name) => {
    await seedSession()
    const message = await aMessage({ status: name === 'Regenerate' ? 'completed' : 'interrupted' })
    const { user } = await renderScreen(`/app#${message.channelId}`, aServer())
    await isShort()
    await user.click(await screen.findByRole('button', { name }))
    await dialog()
    expect(await localChannels.message(message.channelId, message.mId)).toEqual(message)
    expect(line.questions()).toEqual([])
  })
})

it('an answer that was continued says what all of it used and cost, once, however often its end comes', async () => {
  await seedSession()
  const message = await aMessage({ status: 'interrupted', usage: { inputTokens: 10, outputTokens: 20, cost: '30000000' } })
  const { user } = await renderScreen(`/app#${message.channelId}`, aServer({ amount: 5 }))
  await user.click(await screen.findByRole('button', { name: 'Continue' }))
  await waitFor(() => expect(line.questions()).toHaveLength(1))
  const messageId = line.questions()[0]?.messageId ?? ''
  const [mId, content] = [messageId, ' and more']
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(content))
  const digest = { length: content.length, sha256: Buffer.from(hash).toString('hex') }
  const usage = { inputTokens: 5, outputTokens: 6, cost: '20000000' }
  line.push({ event: 'content', messageId, mId, seq: 1, content })
  for (let n = 0; n < 2; n++)
    line.push({ event: 'end', messageId, mId, seq: 2, message: { mId, chat_response: { role: 'assistant', content }, usage }, ...digest })
  await waitFor(async () =>
    expect(await localChannels.message(message.channelId, message.mId)).toMatchObject({
      status: 'completed',
      chat_response: { content: `${message.chat_response.content}${content}` },
      usage: { inputTokens: 15, outputTokens: 26, cost: '50000000' },
    }),
  )
  await waitFor(async () => expect(await outbox.list()).toEqual([]))
  expect((await localChannels.message(message.channelId, message.mId))?.usage?.cost).toBe('50000000')
})

describe('the dialog about credits', () => {
  const open = async (world: World = {}) => {
    await seedSession()
    const view = await renderScreen('/app', aServer(world))
    await isShort()
    await view.user.type(await box(), 'What is a lien?{Enter}')
    // The amount is gone from the address as soon as the tab has read it.
    const pushed = vi.spyOn(view.router.history, 'push')
    return { ...view, pushed, field: within(await dialog()).queryByRole<HTMLInputElement>('textbox', { name: 'Value in USD' }) }
  }

  it('takes an amount, shows 0 for what is no number and names no bounds, and leads to buying it [ST-059]', async () => {
    const { user, pushed, field } = await open()
    if (!field) throw new Error('there is no field')
    expect([field.min, field.max, field.getAttribute('aria-valuemin')]).toEqual(['', '', null])
    await user.clear(field)
    expect(field.value).toBe('0')
    await user.type(field, 'x')
    expect(field.value).toBe('0')
    await user.type(field, '12,5')
    expect(field.value).toBe('12.5')
    await user.click(within(await dialog()).getByRole('button', { name: 'Continue' }))
    expect(pushed).toHaveBeenCalledExactlyOnceWith('/settings?tab=credits&pay=12.5')
    expect(useNoCredits.getState().isOpen).toBe(false)
  })

  it('goes on with Enter', async () => {
    const { user, pushed, field } = await open()
    if (!field) throw new Error('there is no field')
    await user.clear(field)
    await user.type(field, '20.{Enter}')
    expect(pushed).toHaveBeenCalledExactlyOnceWith('/settings?tab=credits&pay=20')
  })

  it('sells nothing where nothing is sold', async () => {
    const { field } = await open({ methods: [] })
    expect(field).toBeNull()
    expect(within(await dialog()).getByText('This server sells no credits. Free models answer without them.')).toBeTruthy()
    expect(within(await dialog()).queryByRole('button', { name: 'Continue' })).toBeNull()
  })
})

describe('credits that the server misses', () => {
  /** Somebody asks; the server has not answered yet. */
  const ask = async (question = 'What is a lien?') => {
    await seedSession()
    const view = await renderScreen('/app', aServer({ amount: 'unknown' }))
    await view.user.type(await box(), `${question}{Enter}`)
    await waitFor(() => expect(line.questions()).toHaveLength(1))
    await screen.findByRole('article')
    const { messageId = '', channelId = '' } = line.questions()[0] ?? {}
    const refuse = () => line.push({ event: 'no-credits', messageId, mId: messageId, seq: 1, content: notEnough })
    return { ...view, channelId, refuse }
  }

  it('are said in its words; the question is back in its box and is no message any more [ST-098]', async () => {
    const { user, channelId, refuse } = await ask()
    refuse()
    expect(await screen.findByText(notEnough)).toBeTruthy()
    await waitFor(async () => expect(await box()).toHaveProperty('value', 'What is a lien?'))
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull())
    expect((await localChannels.messages(channelId)).messages).toEqual([])
    expect(await outbox.list()).toEqual([])
    // Nothing of it stands in the way of the next attempt.
    await user.click(screen.getByRole('button', { name: 'Send' }))
    await waitFor(() => expect(line.questions().map(({ question }) => question)).toEqual(['What is a lien?', 'What is a lien?']))
  })

  it('leave the question where it is, with Resend, when another one is in the box by then [ST-098]', async () => {
    const { user, channelId, refuse } = await ask()
    await user.type(await box(), 'And a pledge?')
    refuse()
    // Above the page and under the question.
    await waitFor(() => expect(screen.getAllByText(notEnough)).toHaveLength(2))
    expect(screen.getByRole('button', { name: 'Resend' })).toBeTruthy()
    expect(await box()).toHaveProperty('value', 'And a pledge?')
    const { messages } = await localChannels.messages(channelId)
    expect(messages.map(({ chat_request, status }) => [chat_request, status])).toEqual([['What is a lien?', 'failed']])
  })

  it('a double click on Resend asks once more, not twice', async () => {
    const { user, channelId, refuse } = await ask('What is a bond?')
    await user.type(await box(), 'And a pledge?')
    refuse()
    await user.dblClick(await screen.findByRole('button', { name: 'Resend' }))
    await waitFor(() => expect(line.questions()).toHaveLength(2))
    // A third one would have gone out before it.
    const [{ mId = '' } = {}] = (await localChannels.messages(channelId)).messages
    await resendMessage(channelId, mId)
    expect(line.questions()).toHaveLength(2)
    expect(await outbox.list()).toHaveLength(1)
  })
})

describe('what an answer cost', () => {
  const shownCost = async (cost: string, user = aUser()) => {
    await seedSession(user)
    const message = await aMessage({ usage: { inputTokens: 10, outputTokens: 20, cost }, durationMs: 3_200 })
    await renderScreen(`/app#${message.channelId}`, aServer({ amount: 5 }))
    await screen.findByText('3.2 s')
    return document.querySelector<HTMLElement>('[data-cost]')
  }

  it.each([
    ['4217500', '$0.0043', '$0.0042175'],
    ['42000000', '$0.042', '$0.042'],
    ['50000000', '$0.05', '$0.05'],
    ['1234567890', '$1.24', '$1.23456789'],
    ['1', '$0.000000001', '$0.000000001'],
  ])('stands beside it (%s nano-dollars): short, named for whoever hears it, exact on hover', async (cost, short, exact) => {
    await shownCost(cost)
    await waitFor(() => expect(document.querySelector('[data-cost]')?.textContent).toBe(`Cost of this answer: ${short}`))
    expect(document.querySelector<HTMLElement>('[data-cost]')?.title).toBe(exact)
  })

  it('is not shown for what was free, for wallets, and where it is no amount', async () => {
    expect(await shownCost('0')).toBeNull()
    await cleanUp()
    expect(await shownCost('4217500', aWalletUser())).toBeNull()
    await cleanUp()
    forgetSession()
    expect(await shownCost('much')).toBeNull()
  })
})

it('how long an answer took is written as the language writes numbers', async () => {
  await seedSession()
  const message = await aMessage({ durationMs: 3_200 })
  await renderScreen(`/app#${message.channelId}`, aServer({ amount: 5 }))
  await screen.findByText('3.2 s')
  try {
    await act(() => setLanguage('pt-BR'))
    await screen.findByText('3,2 s')
  } finally {
    await act(() => setLanguage('en-US'))
  }
})

describe('a question that is likely to be expensive', () => {
  const estimate = () => screen.findByText(/^About \$/)

  it('is announced before it is sent, with the chat that goes along and the server’s markup', async () => {
    await seedSession()
    chooseModel(dearModel)
    const message = await aMessage({ question: 'x'.repeat(3_968), answer: 'y'.repeat(3_968) })
    const { user } = await renderScreen(`/app#${message.channelId}`, aServer({ amount: 5 }))
    await user.type(await box(), 'Go on')
    // (1000 + 1000 + 10 tokens of text) × $0.00001 + 700 × $0.0001, twice
    expect((await estimate()).textContent).toBe('About $0.19 with Big Model')
    await user.clear(await box())
    await waitFor(() => expect(screen.queryByText(/^About \$/)).toBeNull())
  })

  it('is no word where it is cheap or nobody pays', async () => {
    await seedSession()
    const { user, unmount } = await renderScreen('/app', aServer({ amount: 5 }))
    await user.type(await box(), 'Go on')
    chooseModel(dearModel)
    await estimate()
    chooseModel(undefined)
    await waitFor(() => expect(screen.queryByText(/^About \$/)).toBeNull())
    unmount()
    await seedSession(aWalletUser())
    chooseModel(dearModel)
    const second = await renderScreen('/app', aServer({ amount: 5 }))
    await second.user.type(await box(), 'Go on')
    await screen.findByText('Web3 Unlimited')
    expect(screen.queryByText(/^About \$/)).toBeNull()
  })
})

type Fields = Partial<Message> & { question?: string; answer?: string }

/** An exchange on this device. */
async function aMessage({ question = 'What is a lien?', answer = 'A right', ...fields }: Fields = {}): Promise<Message> {
  const [channel] = await seedChannels('Lease clauses')
  const mId = uuidv7()
  const message: Message = {
    mId,
    channelId: channel?.id ?? '',
    chat_request: question,
    chat_response: { role: 'assistant', content: answer },
    datetime: new Date().toISOString(),
    status: 'completed',
    ...fields,
  }
  await localChannels.put(message)
  return message
}
