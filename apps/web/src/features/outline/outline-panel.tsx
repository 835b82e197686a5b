import '../../i18n/later-texts'
import { useOutline } from '../../data/channels/use-outline'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { EmptyState } from '../../ui/empty-state'
import { SidePanel } from '../../ui/side-panel'
import { Skeleton } from '../../ui/skeleton'
import { Outline } from './outline'
import styles from './outline.module.css'
import { outlinePanel } from './outline-state'

/** The outline of a chat beside it. */
export default function OutlinePanel({ channelId }: { channelId: string }) {
  const { t } = useTranslation()
  return (
    <SidePanel title={t('outline.title')} closeLabel={t('outline.close')} onClose={outlinePanel.close}>
      <Body key={channelId} channelId={channelId} />
    </SidePanel>
  )
}

function Body({ channelId }: { channelId: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useOutline(channelId)
  if (data)
    return data.length === 0 ? <EmptyState title={t('outline.empty')} /> : <Outline {...{ channelId }} entries={data} />
  if (error)
    return (
      <EmptyState
        title={t('outline.loadFailed')}
        action={
          <Button size="small" onClick={() => void refetch()}>
            {t('chat.retry')}
          </Button>
        }
      />
    )
  return (
    <div className={styles.loading} role="status" aria-label={t('outline.loading')}>
      <Skeleton width="80%" height="14px" />
      <Skeleton width="65%" height="14px" />
      <Skeleton width="72%" height="14px" />
    </div>
  )
}
