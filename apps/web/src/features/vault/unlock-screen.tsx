import '../../i18n/later-texts'
import { type FormEvent, useState } from 'react'
import { unlockVault, useVault } from '../../data/vault/vault-state'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { Field, TextInput } from '../../ui/field'
import { Logo } from '../../ui/logo'
import styles from './vault.module.css'

/** Shown instead of the app while this device's chats are locked. */
export default function UnlockScreen({ onLogOut }: { onLogOut: () => void }) {
  const { t, language } = useTranslation()
  const hasRecovery = useVault(({ settings }) => settings?.hasRecovery ?? false)
  const [by, setBy] = useState<'passphrase' | 'code'>('passphrase')
  const [secret, setSecret] = useState('')
  const [error, setError] = useState<string>()
  const [isBusy, setIsBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (secret === '' || isBusy) return
    setIsBusy(true)
    setError(undefined)
    try {
      await unlockVault(secret, by)
    } catch (failure) {
      setError(errorMessage(failure, language) ?? t('vault.failed'))
      setIsBusy(false)
    }
  }

  function change() {
    setBy(by === 'code' ? 'passphrase' : 'code')
    setSecret('')
    setError(undefined)
  }

  return (
    <main className={styles.screen}>
      <form className={styles.card} onSubmit={(event) => void submit(event)} noValidate>
        <Logo />
        <h1>{t('vault.unlockTitle')}</h1>
        <p>{t('vault.unlockText')}</p>
        <Field label={t(by === 'code' ? 'vault.recoveryTitle' : 'vault.passphrase')} {...(error ? { error } : {})}>
          <TextInput
            key={by}
            autoFocus
            type={by === 'code' ? 'text' : 'password'}
            autoComplete={by === 'code' ? 'off' : 'current-password'}
            autoCapitalize="none"
            spellCheck={false}
            value={secret}
            onChange={(event) => setSecret(event.target.value)}
          />
        </Field>
        <Button variant="primary" size="large" wide type="submit" busy={isBusy}>
          {t('vault.unlock')}
        </Button>
        <div className={styles.others}>
          {hasRecovery && (
            <Button variant="quiet" size="small" onClick={change}>
              {t(by === 'code' ? 'vault.usePassphrase' : 'vault.useCode')}
            </Button>
          )}
          <Button variant="quiet" size="small" onClick={onLogOut}>
            {t('vault.logOut')}
          </Button>
        </div>
      </form>
    </main>
  )
}
