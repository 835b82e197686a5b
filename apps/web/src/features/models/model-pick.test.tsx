import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { notify } from '../../data/chat/chat-notices'
import { chooseModel, chosenModelId } from '../../data/models/chosen-model'
import { readLastDefault, writeLastDefault } from '../../data/models/last-default'
import { writeModelsCache } from '../../data/models/models-cache'
import { chatTypes } from '../../data/session/chat-settings'
import { forgetSession } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import { defaultModel, manyModels } from '../../testing/many-models'
import { gateway, listed, models, openPicker, pick, rowNames } from '../../testing/model-picker'
import { aConfig, renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aWalletUser, seedSession } from '../../testing/seed-session'

const kept = () => JSON.parse(localStorage.getItem('configsMainChat') ?? 'null')

beforeEach(() => localStorage.clear())
afterEach(async () => {
  chooseModel(undefined)
  await cleanUp()
  forgetSession()
})

const active = (dialog: HTMLElement) => dialog.querySelector('[data-active] b')?.textContent

describe('somebody signed in', () => {
  beforeEach(() => seedSession())

  it('finds one of 400 models by keyboard, of which only what is seen is in the page, and it answers from then on [ST-003, ST-078, CH-177, CH-178]', async () => {
    const { user, dialog } = await openPicker(() => ({ status: 200, body: { data: manyModels(400) } }))
    const search = await within(dialog).findByRole('combobox', { name: 'Search 175+ language models' })
    expect(document.activeElement).toBe(search)
    expect(active(dialog)).toBe('Llama 3.1 8B Instruct')
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowUp}')
    expect(active(dialog)).toBe('Claude 000')
    expect(search.getAttribute('aria-activedescendant')).toBe(dialog.querySelector('[data-active]')?.id)
    await user.keyboard('{End}')
    expect(active(dialog)).toBe('Yi 389')
    await user.keyboard('{PageUp}')
    expect(active(dialog)).toBe('Yi 298')
    expect(within(dialog).getAllByRole('row').length).toBeLessThan(60)
    await user.paste('yi 389')
    expect(rowNames(dialog)).toHaveLength(1)
    await user.keyboard('{Enter}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((await pick()).getAttribute('aria-label')).toBe('Model: Yi 389')
    expect(document.activeElement).toBe(await pick())
    expect(chosenModelId()).toBe('yi/model-389:free')
    expect(chatTypes).toEqual(['chatting'])
    expect(kept()).toMatchObject({
      machine: 'yi/model-389:free',
      storageMode: 'local',
      enableWebSearch: false,
      assistant: null,
      typeChat: 'chatting',
      chatData: [],
    })
  })

  it('sees the details beside the list, with the exact price, marks a favorite and goes back [ST-113, ST-115, ST-117]', async () => {
    const { user, dialog } = await openPicker()
    await within(dialog).findByRole('combobox')
    await user.paste('gemini 004')
    expect(rowNames(dialog)[0]).toContain('$0.05per 1M tokens')
    await user.keyboard('{ArrowRight}')
    const details = await within(dialog).findByRole('region', { name: 'Details of Gemini 004' })
    for (const fact of [
      '$0.05 per 1M tokens',
      '$0.004 per 1M tokens',
      'text->text',
      '32,768 tokens',
      'gemini/model-004-coder',
    ])
      expect(within(details).getByText(fact)).toBeTruthy()
    expect(within(details).getByText(/^The 004th model/)).toBeTruthy()
    expect(document.activeElement).toBe(within(details).getByRole('button', { name: 'Select model' }))
    await user.click(within(details).getByRole('button', { name: 'Add to favorites' }))
    await user.click(within(details).getByRole('button', { name: 'Back' }))
    expect(within(dialog).queryByRole('region')).toBeNull()
    expect(document.activeElement).toBe(within(dialog).getByRole('combobox'))
    await user.clear(within(dialog).getByRole('combobox'))
    expect(
      rowNames(dialog)
        .slice(0, 4)
        .map((text) => text?.slice(0, 10)),
    ).toEqual(['In use', 'L3Llama 3.', 'Favorites', 'GeGemini 0'])
    expect(kept()?.machine ?? null).toBeNull()
  })

  it.each([
    ['pt-BR', 'US$ 0,05', 'US$ 1.125,00 por 1M de tokens', 'US$ 0,004 por 1M de tokens'],
    ['es-ES', '0,05 US$', '1125,00 US$ por 1M de tokens', '0,004 US$ por 1M de tokens'],
  ])(
    'reads prices as %s writes numbers, in the list and in the details [ST-113, ST-117]',
    async (language, short, large, small) => {
      onTestFinished(() => setLanguage('en-US'))
      localStorage.setItem('language', language)
      const dear = {
        ...defaultModel,
        id: 'dear/model',
        name: 'Dear',
        pricing: { prompt: '4e-9', completion: '0.001125' },
      }
      const { user } = await renderScreen('/app', {
        config: gateway,
        answers: { 'GET /models': () => ({ status: 200, body: { data: [...models, dear] } }) },
      })
      await user.click(await screen.findByRole('button', { name: /^Modelo: / }))
      const dialog = await screen.findByRole('dialog')
      await within(dialog).findByRole('combobox')
      const plain = (text: string | null | undefined) => text?.replaceAll('\u00a0', ' ')
      await user.paste('gemini 004')
      expect(plain(rowNames(dialog)[0])).toContain(`${short}por 1M de tokens`)
      await user.clear(within(dialog).getByRole('combobox'))
      await user.paste('dear')
      await user.keyboard('{ArrowRight}')
      const facts = plain((await within(dialog).findByRole('region')).textContent)
      expect(facts).toContain(large)
      expect(facts).toContain(small)
    },
  )

  it('sorts by cost and keeps to a tab [ST-111, ST-112]', async () => {
    const { user, dialog } = await openPicker()
    await user.click(await within(dialog).findByRole('tab', { name: 'Code' }))
    await user.click(within(dialog).getByRole('button', { name: 'Group by family' }))
    await user.click(screen.getByRole('menuitem', { name: 'More expensive first' }))
    expect(within(dialog).getByRole('button', { name: 'Group by cost: more expensive' })).toBeTruthy()
    expect(rowNames(dialog)[0]).toContain('$0.45')
    await user.click(within(dialog).getByRole('tab', { name: 'Free' }))
    expect(rowNames(dialog).every((text) => text?.includes('free'))).toBe(true)
    await user.click(within(dialog).getByRole('tab', { name: 'All' }))
    await user.click(within(dialog).getByRole('combobox'))
    await user.paste('zzz')
    expect(await within(dialog).findByText('No model matches.')).toBeTruthy()
  })

  it('gets the list of the last 24 hours at once, and asks for none [ST-080]', async () => {
    writeModelsCache(models.slice(0, 20), Date.now() - 60_000)
    let calls = 0
    const { dialog } = await openPicker(() => {
      calls++
      return listed()
    })
    expect(within(dialog).getByRole('combobox', { name: 'Search 20 models' })).toBeTruthy()
    expect(calls).toBe(0)
  })

  it('loses a model that has left the list, and hears of it', async () => {
    chooseModel({ id: 'left/model', name: 'Left Behind' })
    await renderScreen('/app', { config: gateway, answers: { 'GET /models': listed } })
    expect(
      await screen.findByText('Left Behind is no longer available. The default model answers from now on.'),
    ).toBeTruthy()
    expect(chosenModelId()).toBeUndefined()
    await waitFor(async () => expect((await pick()).getAttribute('aria-label')).toBe('Model: Llama 3.1 8B Instruct'))
  })

  it('but not one that is only missing in an old list of this browser', async () => {
    const newest = models[7]
    writeModelsCache(models.slice(0, 5))
    chooseModel({ id: newest?.id ?? '', name: 'Newest' })
    let calls = 0
    const answer = () => {
      calls++
      return listed()
    }
    await renderScreen('/app', { config: gateway, answers: { 'GET /models': answer } })
    await waitFor(() =>
      expect(JSON.parse(localStorage.getItem('models-cache') ?? '').models).toHaveLength(models.length),
    )
    expect((await pick()).getAttribute('aria-label')).toBe('Model: Newest')
    expect([calls, chosenModelId()]).toEqual([1, newest?.id])
  })

  it('that the server refuses, too', async () => {
    let left = models
    const [first] = models
    chooseModel({ id: first?.id ?? '', name: 'Refused' })
    await renderScreen('/app', {
      config: gateway,
      answers: { 'GET /models': () => ({ status: 200, body: { data: left } }) },
    })
    await waitFor(() => expect(localStorage.getItem('models-cache')).not.toBeNull())
    expect(chosenModelId()).toBe(first?.id)
    left = models.slice(1)
    notify({ kind: 'failed', code: 'chat.model-unknown', content: 'This model is not available here.' })
    expect(
      await screen.findByText('Refused is no longer available. The default model answers from now on.'),
    ).toBeTruthy()
    expect(chosenModelId()).toBeUndefined()
  })

  it.each([
    ['an empty list', { status: 200, body: { data: [] } }, 'An error has occurred. Please try again.'],
    ['a 401', { status: 401, body: { code: 'forbidden' } }, 'Authentication failed. Please log in again.'],
    ['another failure', { status: 500 }, 'Failed to load models. Please try again later.'],
  ])('reads in the picker what %s means, and can try again [ST-121, ST-122, ST-123]', async (_case, answer, text) => {
    let isBroken = true
    const { user, dialog } = await openPicker(() => (isBroken ? answer : listed()))
    expect((await within(dialog).findByRole('alert')).textContent).toContain(text)
    isBroken = false
    await user.click(within(dialog).getByRole('button', { name: 'Try again' }))
    expect(await within(dialog).findByRole('combobox')).toBeTruthy()
  })

  it.each([
    [
      { status: 200, body: { data: [] } },
      'Failed to connect to the server. Please check your connection and try again.',
    ],
    [{ status: 401, body: { code: 'forbidden' } }, 'Authentication failed. Please log in again.'],
    [{ status: 500 }, 'Failed to load models. Please try again later.'],
  ])('hears in the main view that there is no list [ST-121, ST-122, ST-123]', async (answer, text) => {
    await renderScreen('/app', { config: gateway, answers: { 'GET /models': () => answer } })
    expect(await screen.findByText(text)).toBeTruthy()
  })

  it('reads in the picker that there is no list without a network, and hears of it there only [ST-123]', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get')
    onTestFinished(() => onLine.mockRestore())
    // Gone just after the configuration came.
    const lose = () => {
      onLine.mockReturnValue(false)
      return { status: 200, body: { ...aConfig, ...gateway } }
    }
    const lost = () => Promise.reject(new TypeError('Failed to fetch'))
    const { user } = await renderScreen('/app', { answers: { 'GET /api/config': lose, 'GET /models': lost } })
    await user.click(await pick())
    const dialog = await screen.findByRole('dialog', { name: 'Choose a model' })
    expect((await within(dialog).findByRole('alert')).textContent).toContain(
      'Failed to load models. Please try again later.',
    )
    expect(screen.getAllByText(/Failed to load models/)).toHaveLength(1)
  })

  it('sees at once what the page before showed, and the server’s default model once that is known', async () => {
    writeLastDefault({ id: 'former/default', name: 'Former' })
    let tell = (): void => undefined
    const config = new Promise<{ status: number; body: object }>((resolve) => {
      tell = () => resolve({ status: 200, body: { ...aConfig, ...gateway } })
    })
    await renderScreen('/app', { answers: { 'GET /api/config': () => config, 'GET /models': listed } })
    expect((await pick()).getAttribute('aria-label')).toBe('Model: Former')
    tell()
    await waitFor(async () => expect((await pick()).getAttribute('aria-label')).toBe('Model: Llama 3.1 8B Instruct'))
    expect(readLastDefault()).toEqual({ id: 'meta-llama/llama-3.1-8b-instruct', name: 'Llama 3.1 8B Instruct' })
  })

  it('another person does not find the choice of the one before', async () => {
    chooseModel({ id: models[0]?.id ?? '', name: 'Mine' })
    expect(chosenModelId()).toBe(models[0]?.id)
    await seedSession({ ...aWalletUser(), id: '0193f000-0000-7000-8000-000000000002' })
    expect(chosenModelId()).toBeUndefined()
    await seedSession()
    expect(chosenModelId()).toBe(models[0]?.id)
  })
})
