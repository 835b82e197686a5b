import '../../i18n/later-texts'
import { ImageIcon } from 'lucide-react'
import { useTranslation } from '../../i18n/interface-language'
import { hostOf } from './link-url'
import styles from './markdown.module.css'
import picture from './picture.module.css'
import { isInlinePicture, pictureUrl } from './picture-url'

/**
 * A picture of an answer. One from the web is never fetched by itself, or its address could carry the chat away; the
 * page's policy would refuse it in the page too, so "Load picture" opens it in a tab of its own, without a referrer.
 */
export function Picture({ url, alt }: { url: string; alt: string }) {
  const { t } = useTranslation()
  if (isInlinePicture(url)) return <img className={picture.picture} src={url} alt={alt} />
  const address = pictureUrl(url)
  const host = address && hostOf(address)
  return (
    <span className={picture.blockedPicture}>
      <ImageIcon aria-hidden size={18} strokeWidth={1.75} />
      <span className={picture.pictureText}>
        <span dir="auto">{alt || t('markdown.picture')}</span>
        <span className={styles.host} dir="ltr">
          {host ?? t('markdown.pictureRefused')}
        </span>
      </span>
      {address && host && (
        <a
          className={styles.button}
          href={address}
          target="_blank"
          rel="noopener noreferrer nofollow"
          title={t('markdown.pictureOpens', { host })}
        >
          {t('markdown.loadPicture')}
        </a>
      )}
    </span>
  )
}
