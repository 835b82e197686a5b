import '../../i18n/later-texts'
import { useId, useState } from 'react'
import { signOut } from '../../data/auth/sign-out'
import { hasTemporaryMessages } from '../../data/channels/temporary-chats'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { toast } from '../../ui/toast'
import styles from './log-out-dialog.module.css'

/** Asks whether the chats on this device are sealed or removed. Sealed ones open with the next sign-in. */
export default function LogOutDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const name = useId()
  const [removeChats, setRemoveChats] = useState(false)
  const [isBusy, setIsBusy] = useState(false)

  async function logOut() {
    setIsBusy(true)
    try {
      await signOut({ removeChats })
    } catch {
      toast.error(t('settings.failed'))
      setIsBusy(false)
    }
  }

  const choices = [
    { value: false, title: t('settings.keepChats'), text: t('settings.keepChatsText') },
    { value: true, title: t('settings.removeChats'), text: t('settings.removeChatsText') },
  ]
  return (
    <Dialog
      title={t('settings.logOutTitle')}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose} disabled={isBusy}>
            {t('settings.cancel')}
          </Button>
          <Button variant={removeChats ? 'danger' : 'primary'} busy={isBusy} onClick={() => void logOut()}>
            {t('shell.logOut')}
          </Button>
        </>
      }
    >
      <fieldset className={styles.choices} disabled={isBusy}>
        <legend>{t('settings.logOutChats')}</legend>
        {choices.map(({ value, title, text }) => (
          <label key={title} className={styles.choice}>
            <input
              type="radio"
              name={name}
              checked={value === removeChats}
              onChange={() => setRemoveChats(value)}
              aria-describedby={`${name}-${value}`}
            />
            <span>
              <span className={styles.title}>{title}</span>
              <span id={`${name}-${value}`} className={styles.text}>
                {text}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {hasTemporaryMessages() && <p className={styles.note}>{t('temporary.logOut')}</p>}
    </Dialog>
  )
}
