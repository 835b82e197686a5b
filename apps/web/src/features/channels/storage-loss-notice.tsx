import '../../i18n/later-texts'
import { X } from 'lucide-react'
import { persistStorage, useDeviceStorage } from '../../data/channels/device-storage'
import { useConfig } from '../../data/config/use-config'
import { openLoginPanel } from '../../data/session/login-panel'
import { useUser } from '../../data/session/stored-session'
import { dismissStorageLoss, type StorageLoss } from '../../data/vault/storage-loss'
import { useTranslation } from '../../i18n/interface-language'
import { Link } from '../../lib/router/link'
import { Button, IconButton } from '../../ui/button'
import { Card } from '../../ui/card'
import { toast } from '../../ui/toast'
import styles from './migration-banner.module.css'

/** Reports that the browser has evicted the chats of this device, since when, and what helps; until it is dismissed. */
export default function StorageLossNotice({ loss }: { loss: StorageLoss }) {
  const { t, language } = useTranslation()
  const isSignedIn = useUser() !== undefined
  const canSignIn = (useConfig()?.signInMethods.length ?? 0) > 0 && !isSignedIn
  const { isPersisted } = useDeviceStorage()
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(loss.since))
  const keep = async (): Promise<void> => {
    if (await persistStorage()) toast.success(t('vault.lostKept'))
    else toast.info(t('vault.lostNotKept'))
  }

  return (
    <Card className={styles.banner} role="region" aria-label={t('vault.lostTitle')}>
      <div className={styles.head}>
        <b>{t('vault.lostTitle')}</b>
        <IconButton label={t('vault.lostDismiss')} icon={X} size="small" onClick={() => dismissStorageLoss(loss)} />
      </div>
      <p>{t('vault.lostText', { date })}</p>
      {isSignedIn && <p>{t('vault.lostCloud')}</p>}
      {canSignIn && (
        <>
          <p>{t(loss.isOfAccount ? 'vault.lostSignIn' : 'vault.lostSignInAnonymous')}</p>
          <Button size="small" onClick={() => openLoginPanel()}>
            {t('vault.lostSignInButton')}
          </Button>
        </>
      )}
      <p>
        {t('vault.lostImport')} <Link to="/settings">{t('vault.lostImportButton')}</Link>
      </p>
      {!isPersisted && (
        <>
          <p>{t('vault.lostKeep')}</p>
          <Button size="small" onClick={() => void keep()}>
            {t('vault.lostKeepButton')}
          </Button>
        </>
      )}
    </Card>
  )
}
