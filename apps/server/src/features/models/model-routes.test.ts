import { serverLimits } from '@parley/contract/limits/server'
import { afterEach, expect, it, vi } from 'vitest'
import { buildChatApp, type ChatApp, plainSetup } from '../../testing/chat-setups'

afterEach(() => vi.useRealTimers())

const list = async (app: ChatApp) => {
  const response = await app.call('/models')
  expect(response.status).toBe(200)
  return (
    (await response.json()) as {
      data: { id: string; free: boolean; architecture?: unknown; pricing?: unknown; contextTokens?: number }[]
    }
  ).data
}

it('lists the models of the gateway [ST-119]', async () => {
  const app = await buildChatApp(plainSetup)
  expect((await list(app)).map(({ id, free }) => [id, free])).toEqual([
    ['meta-llama/llama-3.1-8b-instruct', false],
    ['stand-in/large', false],
    ['stand-in/gratis:free', true],
  ])
})

it('says what the picker shows of a model, whatever else the gateway says [ST-115]', async () => {
  const app = await buildChatApp(plainSetup)
  const architecture = { tokenizer: 'Claude', instruct_type: null, modality: 'text+image->text' }
  app.gateway.models = [
    {
      id: 'a',
      name: 'A',
      description: 'Reads pictures',
      architecture,
      pricing: { prompt: '0.000003', completion: 0.000015 },
      context_length: 200_000,
    },
    {
      id: 'b',
      architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'] },
      pricing: { prompt: '0', completion: '0' },
    },
    { id: 'c', architecture: 'odd', pricing: { completion: {} }, context_length: 'long' },
    { name: 'no id' },
  ]
  expect(await list(app)).toEqual([
    {
      id: 'a',
      name: 'A',
      description: 'Reads pictures',
      architecture,
      pricing: { prompt: '0.000003', completion: '0.000015' },
      contextTokens: 200_000,
      free: false,
    },
    {
      id: 'b',
      name: 'b',
      architecture: { modality: 'text+image->text' },
      pricing: { prompt: '0', completion: '0' },
      free: true,
    },
    { id: 'c', name: 'c', pricing: { completion: 'unknown' }, free: false },
  ])
})

it('goes on listing what it knew while the gateway fails, and learns what is new when it is back [ST-119]', async () => {
  const app = await buildChatApp(plainSetup)
  const before = await list(app)
  app.gateway.models = [{ id: 'new' }]
  // Not asked again within the time.
  expect(await list(app)).toEqual(before)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + serverLimits.upstream.modelsCacheMs + 1_000 })
  // Whoever asks does not wait for the new one.
  expect(await list(app)).toEqual(before)
  await expect.poll(() => list(app)).toMatchObject([{ id: 'new' }])

  await app.gateway.close()
  vi.setSystemTime(Date.now() + serverLimits.upstream.modelsCacheMs + 1_000)
  expect(await list(app)).toMatchObject([{ id: 'new' }])
  await expect.poll(() => app.logs()).toContain('the model list could not be fetched')
  expect(await list(app)).toMatchObject([{ id: 'new' }])
})
