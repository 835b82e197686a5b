import type { Page, Response } from '@playwright/test'
import { openPanel, panelOf } from './people'

export type Button = 'MetaMask' | 'Phantom' | 'Sui'

export const walletButton = (page: Page, name: Button) => panelOf(page).panel.getByRole('button', { name, exact: true })

/** The page anew, so that the wallet is in it, and the panel. */
export async function openWithWallet(page: Page): Promise<void> {
  await page.reload()
  await openPanel(page)
}

export const storedUser = (page: Page) => page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '{}'))

/** The calls to the server's wallet routes, in their order. */
export function walletCalls(page: Page): Response[] {
  const calls: Response[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/api/auth/web3/')) calls.push(response)
  })
  return calls
}
