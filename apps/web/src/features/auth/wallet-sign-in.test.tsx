import { AppError } from '@parley/contract/errors'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeLoginPanel } from '../../data/session/login-panel'
import { forgetSession, storedSession } from '../../data/session/stored-session'
import { WalletMissingError } from '../../data/wallets/wallet-missing-error'
import { setLanguage } from '../../i18n/i18n'
import { findToast, openPanel, signedIn, toasts } from '../../testing/login-panel'
import { cleanUp } from '../../testing/seed-channels'

// Wallets have tests of their own, with what they say for real.
const wallet = vi.hoisted(() => ({ signInWithWallet: vi.fn() }))
vi.mock('../../data/auth/sign-in-with-wallet', () => wallet)

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  forgetSession()
  closeLoginPanel()
})
beforeEach(() => void wallet.signInWithWallet.mockReset())
afterEach(async () => {
  vi.restoreAllMocks()
  await cleanUp()
  await setLanguage('en-US')
})

const rejected = Object.assign(new Error('User rejected the request.'), { code: 4001 })

describe('a wallet', () => {
  it.each(['MetaMask', 'Phantom', 'Sui'])('%s signs in, and closes the panel [AG-110]', async (name) => {
    wallet.signInWithWallet.mockResolvedValue(signedIn)
    const { press } = await openPanel()
    await press(name)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(wallet.signInWithWallet).toHaveBeenCalledWith(name.toLowerCase())
    expect(storedSession()?.user.email).toBe('marina@example.com')
  })

  it.each<[what: string, name: string, error: unknown, text: string]>([
    [
      'a missing MetaMask [AG-169]',
      'MetaMask',
      new WalletMissingError(),
      'MetaMask wallet not found. Please install MetaMask.',
    ],
    [
      'a MetaMask behind another wallet [AG-169]',
      'MetaMask',
      new WalletMissingError(true),
      'MetaMask wallet not found. Please install MetaMask or disable other wallet extensions.',
    ],
    ["a rejected MetaMask action by the wallet's words [AG-170]", 'MetaMask', rejected, 'User rejected the request.'],
    [
      "a rejected MetaMask action by the wallet's short words, where it has some [AG-170]",
      'MetaMask',
      Object.assign(new Error('User rejected the request. Details: …'), {
        code: 4001,
        shortMessage: 'User rejected the request.',
      }),
      'User rejected the request.',
    ],
    [
      'a MetaMask whose window waits behind this one [AG-170]',
      'MetaMask',
      Object.assign(new Error('Already processing eth_requestAccounts. Please wait.'), { code: -32002 }),
      'Already processing eth_requestAccounts. Please wait.',
    ],
    [
      'a code of MetaMask that means nothing to a person [AG-172]',
      'MetaMask',
      Object.assign(new Error('Internal JSON-RPC error.'), { code: -32603 }),
      'An error occurred. Try again.',
    ],
    [
      'a refusal of the server after MetaMask [AG-171]',
      'MetaMask',
      new AppError('auth.wallet-signature'),
      'Authentication failed. Please try again.',
    ],
    [
      'anything else of MetaMask [AG-172]',
      'MetaMask',
      new TypeError('provider.request is not a function'),
      'An error occurred. Try again.',
    ],
    [
      'a failure of Phantom [AG-173]',
      'Phantom',
      new TypeError('x'),
      'Unable to authenticate with Phantom wallet. Please try again.',
    ],
    [
      'a challenge of Phantom that is over [AG-173]',
      'Phantom',
      new AppError('auth.wallet-challenge'),
      'Unable to authenticate with Phantom wallet. Please try again.',
    ],
    [
      'a signature of Phantom that is not good [AG-174]',
      'Phantom',
      new AppError('auth.wallet-signature'),
      'Signature verification failed on the server. Please try again.',
    ],
    ['a rejected Phantom action', 'Phantom', rejected, 'User rejected the request.'],
    [
      'a failure of a Sui wallet',
      'Sui',
      new TypeError('x'),
      'Unable to authenticate with the Sui wallet. Please try again.',
    ],
    [
      'a device that cannot keep chats',
      'Sui',
      new AppError('storage.full'),
      'Your device is out of space. Nothing was lost: free some space and try again.',
    ],
  ])('explains %s', async (_what, name, error, text) => {
    wallet.signInWithWallet.mockRejectedValue(error)
    const { press, panel } = await openPanel()
    await press(name)
    await findToast(text)
    expect(toasts()).toEqual([text])
    expect(panel.getByRole('button', { name }).getAttribute('aria-busy')).toBeNull()
  })

  it.each([
    [
      'pt-BR',
      {
        missing: 'Carteira MetaMask não encontrada. Instale a MetaMask.',
        hidden: 'Carteira MetaMask não encontrada. Instale a MetaMask ou desative outras extensões de carteira.',
        metaMaskRefused: 'Falha na autenticação. Tente novamente.',
        metaMaskFailed: 'Ocorreu um erro. Tente novamente.',
        phantomFailed: 'Não foi possível autenticar com a carteira Phantom. Tente novamente.',
        suiFailed: 'Não foi possível autenticar com a carteira Sui. Tente novamente.',
        signature: 'A verificação da assinatura falhou no servidor. Tente novamente.',
      },
    ],
    [
      'es-ES',
      {
        missing: 'No se encontró la billetera MetaMask. Instala MetaMask.',
        hidden: 'No se encontró la billetera MetaMask. Instala MetaMask o desactiva otras extensiones de billetera.',
        metaMaskRefused: 'Error de autenticación. Inténtalo de nuevo.',
        metaMaskFailed: 'Ocurrió un error. Inténtalo de nuevo.',
        phantomFailed: 'No se pudo autenticar con la billetera Phantom. Inténtalo de nuevo.',
        suiFailed: 'No se pudo autenticar con la billetera Sui. Inténtalo de nuevo.',
        signature: 'La verificación de la firma falló en el servidor. Inténtalo de nuevo.',
      },
    ],
  ])('explains itself in %s [AG-169, AG-171, AG-172, AG-173, AG-174]', async (language, said) => {
    localStorage.setItem('language', language)
    const { press } = await openPanel()
    for (const [name, error, text] of [
      ['MetaMask', new WalletMissingError(), said.missing],
      ['MetaMask', new WalletMissingError(true), said.hidden],
      ['MetaMask', new AppError('auth.wallet-signature'), said.metaMaskRefused],
      ['MetaMask', new TypeError('x'), said.metaMaskFailed],
      ['Phantom', new TypeError('x'), said.phantomFailed],
      ['Phantom', new AppError('auth.wallet-signature'), said.signature],
      ['Sui', new TypeError('x'), said.suiFailed],
      ['Sui', new AppError('auth.wallet-signature'), said.signature],
    ] as const) {
      wallet.signInWithWallet.mockRejectedValueOnce(error)
      await press(name)
      await findToast(text)
      if (error instanceof WalletMissingError)
        screen
          .getAllByRole('dialog')
          .at(-1)
          ?.dispatchEvent(new Event('cancel', { cancelable: true }))
      await waitFor(() => expect(screen.getAllByRole('dialog')).toHaveLength(1))
    }
  })

  const pages = {
    MetaMask: 'https://metamask.io/download/',
    Phantom: 'https://phantom.com/download',
    Sui: 'https://slush.app/',
  } as const

  it.each([
    [
      'en-US',
      (name: string) => `Install ${name}`,
      (name: string) => `${name} was not found in this browser. Install it, reload the page, and sign in again.`,
    ],
    [
      'pt-BR',
      (name: string) => `Instale a ${name}`,
      (name: string) =>
        `A ${name} não foi encontrada neste navegador. Instale-a, recarregue a página e entre novamente.`,
    ],
    [
      'es-ES',
      (name: string) => `Instala ${name}`,
      (name: string) =>
        `No se encontró ${name} en este navegador. Instálala, recarga la página e inicia sesión de nuevo.`,
    ],
    [
      'fil-PH',
      (name: string) => `I-install ang ${name}`,
      (name: string) =>
        `Hindi nakita ang ${name} sa browser na ito. I-install ito, i-reload ang page, at mag-sign in muli.`,
    ],
  ] as const)(
    'that is missing opens its install dialog in %s, with Download and Close [AG-164, AG-165]',
    async (language, titleOf, textOf) => {
      const words = {
        'en-US': [
          'Install a Sui wallet',
          'No Sui wallet was found in this browser. Install one, reload the page, and sign in again.',
          'Download',
          'Close',
        ],
        'pt-BR': [
          'Instale uma carteira Sui',
          'Nenhuma carteira Sui foi encontrada neste navegador. Instale uma, recarregue a página e entre novamente.',
          'Baixar',
          'Fechar',
        ],
        'es-ES': [
          'Instala una billetera de Sui',
          'No se encontró ninguna billetera de Sui en este navegador. Instala una, recarga la página e inicia sesión de nuevo.',
          'Descargar',
          'Cerrar',
        ],
        'fil-PH': [
          'Mag-install ng Sui wallet',
          'Walang nakitang Sui wallet sa browser na ito. Mag-install ng isa, i-reload ang page, at mag-sign in muli.',
          'I-download',
          'Isara',
        ],
      } as const
      const [suiTitle, suiText, download, close] = words[language]
      const opened = vi.spyOn(window, 'open').mockReturnValue(null)
      localStorage.setItem('language', language)
      const { press, user } = await openPanel()
      for (const name of ['MetaMask', 'Phantom', 'Sui'] as const) {
        wallet.signInWithWallet.mockRejectedValueOnce(new WalletMissingError())
        await press(name)
        const title = name === 'Sui' ? suiTitle : titleOf(name)
        const dialog = within(await screen.findByRole('dialog', { name: title }))
        expect(dialog.getByText(name === 'Sui' ? suiText : textOf(name))).toBeTruthy()
        await user.click(dialog.getByRole('button', { name: download }))
        expect(opened).toHaveBeenLastCalledWith(pages[name], '_blank', 'noopener')
        await user.click(dialog.getAllByRole('button', { name: close }).at(-1) ?? document.body)
        await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull())
      }
    },
  )

  it.each([
    [
      'Phantom',
      'Install Phantom',
      'Phantom was not found in this browser. Install it, reload the page, and sign in again.',
      'https://phantom.com/download',
    ],
    [
      'Sui',
      'Install a Sui wallet',
      'No Sui wallet was found in this browser. Install one, reload the page, and sign in again.',
      'https://slush.app/',
    ],
  ])('%s that is missing says so in its dialog alone [AG-164]', async (name, title, text, page) => {
    const opened = vi.spyOn(window, 'open').mockReturnValue(null)
    wallet.signInWithWallet.mockRejectedValue(new WalletMissingError())
    const { press, user } = await openPanel()
    await press(name)
    const dialog = within(await screen.findByRole('dialog', { name: title }))
    expect(dialog.getByText(text)).toBeTruthy()
    expect(toasts()).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Download' }))
    expect(opened).toHaveBeenCalledWith(page, '_blank', 'noopener')
  })
})
