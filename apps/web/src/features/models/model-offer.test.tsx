import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chooseModel, chosenModelId } from '../../data/models/chosen-model'
import { forgetSession } from '../../data/session/stored-session'
import { gateway, listed, models, openPicker, pick, rowNames } from '../../testing/model-picker'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { aWalletUser, seedSession } from '../../testing/seed-session'

beforeEach(() => localStorage.clear())
afterEach(async () => {
  chooseModel(undefined)
  await cleanUp()
  forgetSession()
})

it('the owner of a wallet goes on with the default model when the list fails, and hears nothing [ST-124]', async () => {
  await seedSession(aWalletUser())
  chooseModel({ id: 'some/model', name: 'Some' })
  const { dialog } = await openPicker(() => ({ status: 500 }))
  expect(await within(dialog).findByRole('combobox', { name: 'Search 1 model' })).toBeTruthy()
  expect(rowNames(dialog).at(-1)).toContain('llama-3.1-8b-instruct')
  expect(within(dialog).queryByRole('alert')).toBeNull()
  expect(screen.queryByText(/Failed to/)).toBeNull()
  expect(chosenModelId()).toBeUndefined()
  expect((await pick()).getAttribute('aria-label')).toMatch(/llama.3\.1.8b/i)
})

it('an anonymous person is asked to sign in, and has the default model [ST-120]', async () => {
  let calls = 0
  const answers = { 'GET /models': () => ({ status: 200, body: { data: models.slice(0, ++calls) } }) }
  const { user } = await renderScreen('/app', { config: gateway, answers })
  await user.click(await pick())
  expect(await screen.findByRole('dialog', { name: 'Welcome back' })).toBeTruthy()
  expect(screen.queryByRole('dialog', { name: 'Choose a model' })).toBeNull()
  expect([calls, chosenModelId()]).toEqual([0, undefined])
})

it('without a gateway says why there is nothing to choose', async () => {
  const { user } = await renderScreen()
  await user.click(await screen.findByRole('button', { name: 'Model: offline' }))
  expect(
    await screen.findByText(/No model is connected to this server yet, so there is nothing to choose from/),
  ).toBeTruthy()
})

it('a model server of one’s own is for everybody', async () => {
  const { user } = await renderScreen('/app', {
    config: { ...gateway, models: 'local', signInMethods: [] },
    answers: { 'GET /models': listed },
  })
  await user.click(await pick())
  await screen.findByRole('combobox')
  await user.paste('grok 003')
  await user.keyboard('{Enter}')
  await waitFor(() => expect(chosenModelId()).toBe('grok/model-003'))
})
