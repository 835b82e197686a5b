import '../../i18n/later-texts'
import { useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Field, TextInput } from '../../ui/field'
import styles from './transfer.module.css'

type Props = { formId: string; fileName: string; problem: string | undefined; onEnter: (passphrase: string) => void }

export function PassphraseEntry({ formId, fileName, problem, onEnter }: Props) {
  const { t } = useTranslation()
  const [passphrase, setPassphrase] = useState('')
  return (
    <form
      id={formId}
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (passphrase !== '') onEnter(passphrase)
      }}
    >
      <p className={styles.fileName}>{t('transfer.isProtected', { name: fileName })}</p>
      <Field label={t('transfer.passphrase')} {...(problem === undefined ? {} : { error: problem })}>
        <TextInput
          type="password"
          autoComplete="off"
          autoFocus
          value={passphrase}
          onChange={(event) => setPassphrase(event.target.value)}
        />
      </Field>
    </form>
  )
}
