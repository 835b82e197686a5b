import { publicPages } from '@parley/contract/pages'
import { Wrench } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import { useMaintenanceEnd } from '../../data/config/use-maintenance-end'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Logo } from '../../ui/logo'
import { enterModalLayer } from '../../ui/modal-layer'
import styles from './maintenance-notice.module.css'

/** The page of the maintenance, for an app that is open. It goes by itself when the server is back. */
export default function MaintenanceNotice() {
  const { t } = useTranslation()
  const dialog = useRef<HTMLDialogElement>(null)
  const ask = useMaintenanceEnd()
  const [isAsking, setIsAsking] = useState(false)

  useLayoutEffect(() => {
    const { current } = dialog
    if (!current) return
    const opener = document.activeElement
    current.showModal()
    const leave = enterModalLayer(current)
    return () => {
      leave()
      current.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])

  async function askNow() {
    setIsAsking(true)
    await ask()
    setIsAsking(false)
  }

  return (
    <dialog
      ref={dialog}
      className={styles.notice}
      aria-labelledby="maintenance-title"
      onCancel={(event) => event.preventDefault()}
    >
      <Logo />
      <div className={styles.words}>
        <Wrench className={styles.sign} size={40} aria-hidden />
        <h1 id="maintenance-title">{t('shell.maintenanceTitle')}</h1>
        <p>{t('shell.maintenanceText')}</p>
        <div className={styles.actions}>
          <Button variant="primary" size="large" busy={isAsking} onClick={() => void askNow()}>
            {t('shell.launchApp')}
          </Button>
          <Button size="large" onClick={() => location.assign(publicPages.home)}>
            {t('shell.backHome')}
          </Button>
        </div>
      </div>
    </dialog>
  )
}
