import { webLimits } from '@parley/contract/limits/web'
import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { setMaintenance } from '../../data/session/maintenance-state'
import { aConfig, renderScreen } from '../../testing/render-screen'
import { cleanUp } from '../../testing/seed-channels'

afterEach(async () => {
  setMaintenance(false)
  vi.useRealTimers()
  await cleanUp()
})

const refused = { status: 503, body: { success: false, code: 'maintenance', message: '', status: 503 } }
const heading = { name: 'Website under maintenance' }

describe('maintenance in an open app', () => {
  it('is said by a notice over what lies there, which goes by itself when the server is back [CH-012, ST-217, ST-218]', async () => {
    let isOn = false
    const { user } = await renderScreen('/about', {
      answers: {
        'GET /api/config': () => ({ status: 200, body: { ...aConfig, ...(isOn ? { maintenance: true } : {}) } }),
        'POST /api/ws/ticket': () => (isOn ? refused : { status: 404 }),
      },
    })
    await screen.findByRole('heading', { level: 1, name: 'Parley' })
    expect(screen.queryByRole('heading', heading)).toBeNull()
    isOn = true
    vi.useFakeTimers({ toFake: ['setInterval'] })
    setMaintenance(true)
    await vi.waitFor(() => screen.getByRole('heading', heading))
    expect(screen.getByText(/Scheduled maintenance is under way\. The site should be back shortly\./)).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Back to Home' })).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1, name: 'Parley', hidden: true })).toBeTruthy()
    await user.click(screen.getByRole('button', { name: 'Launch App' }))
    expect(screen.getByRole('heading', heading)).toBeTruthy()
    isOn = false
    vi.advanceTimersByTime(webLimits.site.maintenanceAskMs)
    vi.useRealTimers()
    await waitFor(() => expect(screen.queryByRole('heading', heading)).toBeNull())
  })

  it('is known from the server’s configuration when the app starts', async () => {
    await renderScreen('/about', { config: { maintenance: true } })
    expect(await screen.findByRole('heading', heading)).toBeTruthy()
  })
})
