import '../../i18n/later-texts'
import { type FormEvent, useState } from 'react'
import { newRecoveryCode, passphraseMinLength } from '../../data/vault/passphrase-rules'
import { setPassphrase } from '../../data/vault/vault-state'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import { toast } from '../../ui/toast'
import styles from './vault.module.css'

const formId = 'passphrase'

/** The dialog of a new passphrase, typed twice, and the recovery code, which is shown once. */
export function PassphraseDialog({ isChange, onClose }: { isChange: boolean; onClose: () => void }) {
  const { t, language } = useTranslation()
  const [code] = useState(newRecoveryCode)
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const [repeated, setRepeated] = useState('')
  const [isKept, setIsKept] = useState(false)
  const [problem, setProblem] = useState<{ field: 'current' | 'next' | 'repeated'; text: string }>()
  const [isBusy, setIsBusy] = useState(false)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy || !isKept) return
    if (next.length < passphraseMinLength) return setProblem({ field: 'next', text: t('vault.passphraseShort') })
    if (next !== repeated) return setProblem({ field: 'repeated', text: t('vault.passphrasesDiffer') })
    setIsBusy(true)
    setProblem(undefined)
    try {
      await setPassphrase(next, code, isChange ? current : undefined)
      toast.success(t('vault.lockedDone'))
      onClose()
    } catch (error) {
      const text = errorMessage(error, language) ?? t('vault.failed')
      setProblem({ field: isChange ? 'current' : 'next', text })
      setIsBusy(false)
    }
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(code)
      toast.success(t('vault.copied'))
    } catch {
      // The code itself stays to be written down.
      toast.error(t('vault.copyFailed'))
    }
  }

  const errorOf = (field: 'current' | 'next' | 'repeated') => (problem?.field === field ? { error: problem.text } : {})
  return (
    <Dialog
      title={t(isChange ? 'vault.change' : 'vault.turnOn')}
      size="small"
      isStatic
      onClose={() => !isBusy && onClose()}
      footer={
        <>
          <Button variant="quiet" disabled={isBusy} onClick={onClose}>
            {t('vault.cancel')}
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={isBusy} disabled={!isKept}>
            {t('vault.save')}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        {isChange && (
          <Field label={t('vault.currentPassphrase')} {...errorOf('current')}>
            <TextInput
              type="password"
              autoComplete="off"
              value={current}
              onChange={(event) => setCurrent(event.target.value)}
            />
          </Field>
        )}
        <Field label={t('vault.newPassphrase')} hint={t('vault.passphraseHint')} {...errorOf('next')}>
          <TextInput
            type="password"
            autoComplete="off"
            value={next}
            onChange={(event) => setNext(event.target.value)}
          />
        </Field>
        <Field label={t('vault.repeatPassphrase')} {...errorOf('repeated')}>
          <TextInput
            type="password"
            autoComplete="off"
            value={repeated}
            onChange={(event) => setRepeated(event.target.value)}
          />
        </Field>
        <div className={styles.recovery}>
          <h3>{t('vault.recoveryTitle')}</h3>
          <p>{t('vault.recoveryText')}</p>
          <div className={styles.code}>
            <code>{code}</code>
            <Button size="small" onClick={() => void copy()}>
              {t('vault.copy')}
            </Button>
          </div>
          <label className={styles.kept}>
            <input type="checkbox" checked={isKept} onChange={(event) => setIsKept(event.target.checked)} />
            {t('vault.recoveryKept')}
          </label>
        </div>
        {isBusy && <p role="status">{t('vault.encrypting')}</p>}
      </form>
    </Dialog>
  )
}
