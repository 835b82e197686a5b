import '../../i18n/later-texts'
import { Clapperboard, Globe, X } from 'lucide-react'
import { useTranslation } from '../../i18n/interface-language'
import { hostOf } from '../../lib/source-place'
import { IconButton } from '../../ui/button'
import { addLinkTo } from './add-sources'
import { linkOffer, useLinkOffer } from './link-offer-state'
import styles from './sources-bar.module.css'

/** A link that was pasted by itself can be read as a source, instead of being sent as mere text. */
export function LinkOffer({ channelId }: { channelId: string }) {
  const { t } = useTranslation()
  const offer = useLinkOffer()
  if (offer?.channelId !== channelId) return null
  const { link, takeBack } = offer
  const Icon = link.kind === 'video' ? Clapperboard : Globe
  const accept = async (): Promise<void> => {
    linkOffer.close()
    if (await addLinkTo(channelId, link)) takeBack()
  }
  return (
    <p className={styles.offer} role="status">
      <Icon aria-hidden="true" />
      <span>
        {t(link.kind === 'video' ? 'sources.offerVideo' : 'sources.offerWebsite', {
          host: hostOf(link.url) ?? link.url,
        })}
      </span>
      <button type="button" className={styles.link} onClick={() => void accept()}>
        {t('sources.offerAccept')}
      </button>
      <IconButton label={t('sources.offerDismiss')} icon={X} size="small" onClick={linkOffer.close} />
    </p>
  )
}
