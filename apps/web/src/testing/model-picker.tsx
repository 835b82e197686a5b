import type { PublicConfig } from '@parley/contract/config'
import { screen, within } from '@testing-library/react'
import { defaultModel, manyModels } from './many-models'
import { renderScreen } from './render-screen'

export const gateway: Partial<PublicConfig> = {
  models: 'gateway',
  defaultModel: defaultModel.id,
  signInMethods: ['email'],
}
export const models = manyModels(60)
export const listed = () => ({ status: 200, body: { data: models } })

export const pick = () => screen.findByRole('button', { name: /^Model: / })

export async function openPicker(answer: () => { status: number; body?: unknown } = listed) {
  const view = await renderScreen('/app', { config: gateway, answers: { 'GET /models': answer } })
  await view.user.click(await pick())
  return { ...view, dialog: await screen.findByRole('dialog', { name: 'Choose a model' }) }
}

export const rowNames = (dialog: HTMLElement) =>
  within(dialog)
    .queryAllByRole('row')
    .map((row) => row.textContent)
