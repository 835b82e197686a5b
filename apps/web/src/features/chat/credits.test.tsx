import { webLimits } from '@parley/contract/limits/web'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { writeDraft } from '../../data/channels/drafts'
import { localChannels } from '../../data/channels/local-channels'
import { outbox } from '../../data/channels/outbox'
import { dropAnswers } from '../../data/chat/send-message'
import { useShortageState } from '../../data/credits/shortage-state'
import { chooseModel } from '../../data/models/chosen-model'
import { closeNoCredits } from '../../data/session/no-credits-dialog'
import { forgetSession } from '../../data/session/stored-session'
import {
  aMessage,
  aServer,
  box,
  dialog,
  freeModel,
  inAnHour,
  isShort,
  line,
  notEnough,
  type World,
} from '../../testing/credit-chat'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aUser, aWalletUser, seedSession } from '../../testing/seed-session'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
  chooseModel(undefined)
  closeNoCredits()
  useShortageState.setState({ isShort: false })
})
afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  for (const { body } of await outbox.list()) await dropAnswers(body.channelId)
  writeDraft('new', '')
  line.forget()
  await cleanUp()
})

const subscriber = () =>
  aUser({ app_metadata: { kind: 'email', subscription: { product_name: 'Plus', current_period_end: inAnHour() } } })

const minimum = 'You need at least 1 dollar in credits to send a message.'

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
    await waitFor(() => expect(useShortageState.getState().isShort).toBeUndefined())
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
    const { user } = await renderScreen('/app', {
      config,
      answers: { ...answers, 'GET /api/billing/credit/user': slow },
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    await seedSession()
    await user.type(await box(), 'What is a lien?{Enter} And a pledge?')
    await vi.advanceTimersByTimeAsync(2 * webLimits.credits.shortageMs)
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
    await waitFor(() =>
      expect(
        screen.queryByText('$0.00') ??
          screen.queryByText('$1.00') ??
          screen.queryByText(/Web3|Monthly|not known|Guest/),
      ).toBeTruthy(),
    )
    await user.type(await box(), 'What is a lien?{Enter}')
    await waitFor(() => expect(line.questions().map(({ question }) => question)).toEqual(['What is a lien?']))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('a free model may be chosen, and is asked [ST-052]', async () => {
    await seedSession()
    const { user } = await renderScreen('/app', aServer())
    await isShort()
    chooseModel(freeModel)
    await waitFor(() => expect(useShortageState.getState().isShort).toBe(false))
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
    await waitFor(async () =>
      expect((await outbox.list()).map(({ body }) => body.question)).toEqual(['What is a lien?']),
    )
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

  it.each(['Resend', 'Regenerate', 'Continue'])(
    '%s opens the dialog as well, and changes nothing [ST-051]',
    async (name) => {
      await seedSession()
      const message = await aMessage({ status: name === 'Regenerate' ? 'completed' : 'interrupted' })
      const { user } = await renderScreen(`/app#${message.channelId}`, aServer())
      await isShort()
      await user.click(await screen.findByRole('button', { name }))
      await dialog()
      expect(await localChannels.message(message.channelId, message.mId)).toEqual(message)
      expect(line.questions()).toEqual([])
    },
  )
})
