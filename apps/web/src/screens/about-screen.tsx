import '../i18n/later-texts'
import { product } from '@parley/contract/product'
import { useConfig } from '../data/config/use-config'
import { useTranslation } from '../i18n/interface-language'
import styles from './about-screen.module.css'

/** What the app is, in a few words. */
export default function AboutScreen() {
  const { t } = useTranslation()
  const config = useConfig()
  return (
    <div className={styles.screen}>
      <h1>{product.name}</h1>
      <p>{t('shell.aboutText')}</p>
      <p className={styles.small}>
        {config && `${t('shell.aboutVersion', { version: config.version })} · `}
        {t('shell.aboutLicence')}
      </p>
    </div>
  )
}
