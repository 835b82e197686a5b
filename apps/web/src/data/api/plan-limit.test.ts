import { creditRoutes } from '@parley/contract/credits'
import { afterEach, expect, it, vi } from 'vitest'
import { useNoCreditsDialog } from '../session/no-credits-dialog'
import { api } from './api'

afterEach(() => {
  vi.unstubAllGlobals()
  useNoCreditsDialog.setState({ isOpen: false })
})

const answering = (status: number, body: object) => vi.stubGlobal('fetch', async () => Response.json(body, { status }))

it.each([
  [
    'names the credits as the limit of the plan',
    403,
    { code: 'forbidden', planLimit: true, planLimitErrorType: 'credits' },
    'credits.not-enough',
  ],
  [
    'says so by its code',
    402,
    { code: 'credits.minimum', planLimit: true, planLimitErrorType: 'credits' },
    'credits.minimum',
  ],
])('an answer that %s opens the dialog about credits [ST-070]', async (_how, status, body, code) => {
  answering(status, { success: false, message: 'No.', status, ...body })
  await expect(api(creditRoutes.credit)).rejects.toMatchObject({ code, status, message: 'No.' })
  expect(useNoCreditsDialog.getState().isOpen).toBe(true)
})

it('a limit is told for the action that met it, and forgotten with the next one [ST-066]', async () => {
  answering(402, {
    ...{ success: false, code: 'credits.minimum', message: 'No.', status: 402 },
    ...{ planLimit: true, planLimitErrorType: 'credits' },
  })
  await expect(api(creditRoutes.credit)).rejects.toMatchObject({ code: 'credits.minimum' })
  useNoCreditsDialog.setState({ isOpen: false })
  answering(200, { amount: 3 })
  await expect(api(creditRoutes.credit)).resolves.toEqual({ amount: 3 })
  answering(403, { success: false, code: 'forbidden', message: 'No.', status: 403 })
  await expect(api(creditRoutes.credit)).rejects.toMatchObject({ code: 'forbidden' })
  expect(useNoCreditsDialog.getState().isOpen).toBe(false)
})

it('a limit of another kind does not', async () => {
  answering(403, {
    success: false,
    code: 'forbidden',
    message: 'No.',
    status: 403,
    planLimit: true,
    planLimitErrorType: 'channels',
  })
  await expect(api(creditRoutes.credit)).rejects.toMatchObject({ code: 'forbidden' })
  expect(useNoCreditsDialog.getState().isOpen).toBe(false)
})
