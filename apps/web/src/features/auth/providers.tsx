import '../../i18n/later-texts'
import type { SignIn } from '@parley/contract/auth'
import { Droplet, Ghost, Globe, Hexagon } from 'lucide-react'
import { useState } from 'react'
import { isProfileReachable, signInWithGoogle } from '../../data/auth/google-sign-in'
import { signInWithWallet, type WalletName } from '../../data/auth/sign-in-with-wallet'
import { useConfig } from '../../data/config/use-config'
import { WalletMissingError } from '../../data/wallets/wallet-missing-error'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { toast } from '../../ui/toast'
import styles from './auth.module.css'
import { InstallWalletDialog } from './install-wallet-dialog'
import { explainGoogle, explainWallet } from './provider-error'
import { useSignIn } from './use-sign-in'

const wallets = [
  { name: 'metamask', label: 'MetaMask', method: 'ethereum', icon: Hexagon },
  { name: 'phantom', label: 'Phantom', method: 'solana', icon: Ghost },
  { name: 'sui', label: 'Sui', method: 'sui', icon: Droplet },
] as const

/** The sign-in methods without a password. One at a time. */
export function Providers() {
  const { t, language } = useTranslation()
  const config = useConfig()
  const signIn = useSignIn()
  const [busy, setBusy] = useState<'google' | WalletName>()
  const [missing, setMissing] = useState<WalletName>()
  const context = { t, language }
  const offered = wallets.filter(({ method }) => config?.signInMethods.includes(method))

  async function start(
    name: 'google' | WalletName,
    run: () => Promise<SignIn | undefined>,
    explain: (error: unknown) => string | undefined,
  ) {
    if (busy) return
    setBusy(name)
    try {
      const answer = await run()
      if (answer) await signIn(answer)
      if (answer && name === 'google' && !(await isProfileReachable())) toast.error(t('auth.googleUserFailed'))
    } catch (error) {
      if (name !== 'google' && error instanceof WalletMissingError) setMissing(name)
      const text = explain(error)
      if (text !== undefined) toast.error(text)
    }
    setBusy(undefined)
  }

  const startGoogle = (): void => void start('google', signInWithGoogle, (error) => explainGoogle(error, context))

  return (
    <div className={styles.providers}>
      {config?.signInMethods.includes('google') && (
        <Button wide icon={Globe} busy={busy === 'google'} onClick={startGoogle}>
          {t('auth.continueWithGoogle')}
        </Button>
      )}
      {offered.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: a row of buttons, not a part of the form
        <div className={styles.wallets} role="group" aria-label={t('auth.wallets')}>
          {offered.map(({ name, label, icon }) => (
            <Button
              key={name}
              icon={icon}
              busy={busy === name}
              onClick={() =>
                void start(
                  name,
                  () => signInWithWallet(name),
                  (error) => explainWallet(name, error, context),
                )
              }
            >
              {label}
            </Button>
          ))}
        </div>
      )}
      {missing && <InstallWalletDialog wallet={missing} onClose={() => setMissing(undefined)} />}
    </div>
  )
}
