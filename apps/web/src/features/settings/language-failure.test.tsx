import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'
import { seedSession } from '../../testing/seed-session'

vi.mock('../../i18n/es-ES/texts', () => {
  throw new Error('offline, and never loaded before')
})

beforeEach(() => localStorage.clear())
afterEach(cleanUp)

it('a language whose texts cannot be loaded is said to be missing, and the page stays [ST-028]', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => undefined)
  await seedSession()
  const updated = vi.fn(() => ({ status: 500 }))
  const { user } = await renderScreen('/settings', { answers: { 'POST /api/auth/update-language': updated } })
  await user.selectOptions(await screen.findByLabelText('Language'), 'Español')
  expect(await screen.findByText('Error updating language')).toBeTruthy()
  expect(updated).not.toHaveBeenCalled()
  expect(reload).not.toHaveBeenCalled()
})
