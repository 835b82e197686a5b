import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { forgetSession } from '../../data/session/stored-session'
import { setLanguage } from '../../i18n/i18n'
import { aPayment, leaveCreditsTab, openCreditsTab } from '../../testing/credits-tab'
import { main } from '../../testing/main-region'
import { useToasts } from '../../ui/toast-store'

beforeEach(() => {
  localStorage.clear()
  forgetSession()
})
afterEach(leaveCreditsTab)

describe('the invoices', () => {
  const rowsOf = async () =>
    within(await main().findByRole('table', { name: 'Invoices' }))
      .getAllByRole('row')
      .slice(1)
  const wordsOf = (row: HTMLElement) =>
    [...row.children].slice(0, 4).map((cell) => (cell.querySelector('time') ?? cell).textContent)

  it('stand newest first with date, method, amount and status [ST-031, ST-159, ST-161]', async () => {
    await openCreditsTab((server) => {
      server.payments = [
        aPayment({ created_at: '2026-09-30T12:00:00.000Z', amount: 5, status: 'failed' }),
        aPayment({ created_at: '2026-11-18T12:00:00.000Z', amount: 25 }),
        aPayment({ created_at: '2026-10-02T12:00:00.000Z', amount: 50.5, method: 'token', status: 'refunded' }),
        aPayment({ created_at: '2026-11-17T12:00:00.000Z', amount: 10, method: 'card', status: 'pending' }),
        aPayment({ created_at: '2026-09-29T12:00:00.000Z', amount: 7, status: 'expired' }),
      ]
    })
    const rows = await rowsOf()
    expect(rows.map(wordsOf)).toEqual([
      ['18/11/2026', 'pix', '$25.00', 'completed'],
      ['17/11/2026', 'card', '$10.00', 'pending'],
      ['02/10/2026', 'token', '$50.50', 'refunded'],
      ['30/09/2026', 'pix', '$5.00', 'failed'],
      ['29/09/2026', 'pix', '$7.00', 'expired'],
    ])
    const tones = rows.map((row) => row.querySelector('[data-tone]')?.getAttribute('data-tone'))
    expect(tones).toEqual(['good', 'plain', 'bad', 'bad', 'bad'])
  })

  it.each([
    ['en-US', 'Invoices', 'Payment number No. 5a1d0c9e7b42'],
    ['pt-BR', 'Faturas', 'Número do pagamento Nº 5a1d0c9e7b42'],
    ['es-ES', 'Facturas', 'Número de pago N.º 5a1d0c9e7b42'],
  ])('have the number by which the mail of a payment names it, in %s', async (language, title, number) => {
    await setLanguage(language)
    localStorage.setItem('language', language)
    await openCreditsTab((server) => {
      server.payments = [aPayment({ id: '0199aaaa-bbbb-7ccc-8ddd-5a1d0c9e7b42' })]
    })
    const table = within(await main().findByRole('table', { name: title }))
    expect(table.getByText('5a1d0c9e7b42').closest('td')?.textContent).toContain(number)
  })

  it('have the same dates in every language, and words and amounts of the person’s own', async () => {
    await setLanguage('pt-BR')
    localStorage.setItem('language', 'pt-BR')
    await openCreditsTab((server) => {
      server.payments = [aPayment({ method: 'card' })]
    })
    const [row] = within(await main().findByRole('table', { name: 'Faturas' }))
      .getAllByRole('row')
      .slice(1)
    expect(row && wordsOf(row)).toEqual(['18/11/2026', 'cartão', 'US$\u00a025,00', 'concluído'])
  })

  it('say so when there are none', async () => {
    await openCreditsTab()
    expect(await main().findByText('You have not bought credits yet.')).toBeTruthy()
  })

  const check = () => main().findByRole('button', { name: 'Check Status: $25.00, 18/11/2026' })

  it('ask for a pending Pix payment at a press, and bring payments and credits up to date [ST-162, ST-176]', async () => {
    const pending = aPayment({ status: 'pending' })
    const { credits, user } = await openCreditsTab((server) => {
      server.payments = [pending]
      server.checked = { ...pending, status: 'completed' }
    })
    const button = await check()
    credits.payments = [{ ...pending, status: 'completed' }]
    credits.amount = 37.483109
    await user.click(button)
    expect(await screen.findByText('Credits added successfully')).toBeTruthy()
    expect(await main().findByText('$37.48310')).toBeTruthy()
    await waitFor(async () =>
      expect((await rowsOf()).map(wordsOf)).toEqual([['18/11/2026', 'pix', '$25.00', 'completed']]),
    )
    expect(main().queryByRole('button', { name: /^Check Status/ })).toBeNull()
  })

  it.each([
    ['pending', 'The payment has not arrived yet.'],
    ['expired', 'This payment is over: expired.'],
    [undefined, /./],
  ] as const)('tell what the check found: %s [ST-162]', async (status, text) => {
    const { user } = await openCreditsTab((server) => {
      server.payments = [aPayment({ status: 'pending' })]
      server.checked = status && { ...aPayment({ status }), id: server.payments[0]?.id ?? '' }
    })
    const button = await check()
    await user.click(button)
    await waitFor(() => expect(useToasts.getState().toasts).toHaveLength(1))
    expect(useToasts.getState().toasts[0]?.text).toMatch(text)
    expect(button.getAttribute('aria-busy')).toBeNull()
  })

  it('show the code of a Pix payment that can still be paid again', async () => {
    const pix = {
      qr_code: '00020126580014br.gov.bcb.pix',
      tx_info: { currency: 'BRL' as const, amount: '130.00', rate: '5.2', expires_at: '2999-01-01T00:00:00.000Z' },
    }
    const { user } = await openCreditsTab((server) => {
      server.payments = [aPayment({ status: 'pending', pix }), aPayment({ status: 'pending', amount: 3 })]
    })
    await user.click(await main().findByRole('button', { name: 'Show QR code: $25.00, 18/11/2026' }))
    expect(await screen.findByRole('dialog', { name: 'Pay with Pix' })).toBeTruthy()
    expect(main().queryByRole('button', { name: /^Show QR code: \$3/ })).toBeNull()
  })

  it('lead back to the page of a pending card payment, in the same tab, and to no other page [ST-163]', async () => {
    await openCreditsTab((server) => {
      server.payments = [
        aPayment({ method: 'card', status: 'pending', payment_url: 'https://checkout.stripe.com/c/pay/cs_1' }),
        aPayment({ method: 'card', status: 'pending', amount: 3, payment_url: 'https://evil.example/c/pay/cs_1' }),
        aPayment({ method: 'card', status: 'pending', amount: 4 }),
        aPayment({ method: 'card', status: 'completed', amount: 5 }),
      ]
    })
    await rowsOf()
    const [link, ...others] = main().getAllByRole('link', { name: /^Continue Payment/ })
    expect(link?.getAttribute('href')).toBe('https://checkout.stripe.com/c/pay/cs_1')
    expect(link?.getAttribute('target')).toBeNull()
    expect(others).toEqual([])
  })

  it('lead to the transfer of a payment with the token [ST-168]', async () => {
    const hash = `0x${'ab'.repeat(32)}`
    await openCreditsTab((server) => {
      server.payments = [aPayment({ method: 'token', transaction_id: hash }), aPayment({ method: 'token', amount: 3 })]
    })
    await rowsOf()
    const links = main().getAllByRole('link', { name: /^Explorer/ })
    expect(links.map((link) => link.getAttribute('href'))).toEqual([`https://basescan.org/tx/${hash}`])
    expect(links[0]?.getAttribute('rel')).toBe('noopener noreferrer')
  })
})
