import type { Message } from '@parley/contract/chat'
import { uuidv7 } from '@parley/contract/uuid'
import { screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { localChannels } from '../data/channels/local-channels'
import { useShortageState } from '../data/credits/shortage-state'
import { aChatLine } from './chat-line'
import { defaultModel } from './many-models'
import { seedChannels } from './seed-channels'

export const line = aChatLine()

export const freeModel = { id: 'meta-llama/llama-3.1-8b-instruct:free', name: 'Llama 3.1 8B (free)', free: true }
export const dearModel = {
  ...defaultModel,
  id: 'big/model',
  name: 'Big Model',
  pricing: { prompt: '0.00001', completion: '0.0001' },
}

export const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

export type World = {
  amount?: number | 'unknown'
  period?: boolean
  models?: 'gateway' | 'local'
  byDefault?: string
  methods?: ('pix' | 'card')[]
  markup?: string
}

/** A server that sells credits, with models that cost something and one that does not. */
export function aServer({
  amount = 0.5,
  period = false,
  models = 'gateway',
  byDefault = defaultModel.id,
  methods = ['card'],
  markup = '2',
}: World = {}) {
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
      'GET /api/billing/credit/user': () =>
        amount === 'unknown' ? { status: 500, body: { code: 'server-error' } } : { status: 200, body: { amount } },
      'GET /api/billing/subscription/user': () =>
        period ? { status: 200, body: ends } : { status: 404, body: { code: 'not-found' } },
    },
  }
}

export const box = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Message' })
export const notEnough = "You don't have enough credits to send a message, please buy credits."

export const dialog = () => screen.findByRole('dialog', { name: 'Not enough credits' })
export const isShort = () => waitFor(() => expect(useShortageState.getState().isShort).toBe(true))

export type Fields = Partial<Message> & { question?: string; answer?: string }

/** An exchange on this device. */
export async function aMessage({
  question = 'What is a lien?',
  answer = 'A right',
  ...fields
}: Fields = {}): Promise<Message> {
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
  return (await localChannels.message(message.channelId, mId)) ?? message
}
