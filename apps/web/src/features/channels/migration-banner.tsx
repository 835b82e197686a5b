import '../../i18n/later-texts'
import { X } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Button, IconButton } from '../../ui/button'
import { Card } from '../../ui/card'
import { Progress } from '../../ui/progress'
import styles from './migration-banner.module.css'
import { useMigrateAll } from './use-migrate-all'

const dismissedKey = 'migrationBannerDismissed'

/** Offers to move all cloud chats to this device, until it is dismissed or no chat is left to move. */
export default function MigrationBanner() {
  const { t } = useTranslation()
  const { needsMigration, local, cloud, total, progress, migrate } = useMigrateAll()
  const [isDismissed, setIsDismissed] = useState(() => localStorage.getItem(dismissedKey) !== null)
  if ((needsMigration === 0 || isDismissed) && !progress) return null

  return (
    <Card className={styles.banner} role="region" aria-label={t('channels.bannerTitle')}>
      <div className={styles.head}>
        <b>{t('channels.bannerTitle')}</b>
        {!progress && (
          <IconButton
            label={t('channels.bannerDismiss')}
            icon={X}
            size="small"
            onClick={() => {
              localStorage.setItem(dismissedKey, 'true')
              setIsDismissed(true)
            }}
          />
        )}
      </div>
      <p>{t('channels.bannerText')}</p>
      {progress ? (
        <>
          <Progress value={progress.done} max={Math.max(1, progress.total)} label={t('channels.moving')} />
          <p className={styles.counts}>{t('channels.progress', progress)}</p>
        </>
      ) : (
        <p className={styles.counts}>{t('channels.bannerCounts', { local, cloud, total })}</p>
      )}
      <Button size="small" variant="primary" busy={progress !== undefined} onClick={migrate}>
        {t(progress ? 'channels.moving' : 'channels.moveNow')}
      </Button>
    </Card>
  )
}
