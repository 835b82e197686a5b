import '../../i18n/later-texts'
import { useMeaning } from '../../data/channels/use-meaning'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Switch } from '../../ui/switch'
import { toast } from '../../ui/toast'
import styles from './meaning-switch.module.css'

/** Whether passages of this device are compared by their meaning, too, and what leaves the device for that. */
export function MeaningSwitch({ channelId }: { channelId: string }) {
  const { t, language } = useTranslation()
  const meaning = useMeaning(channelId)
  if (!meaning) return null
  const change = (isOn: boolean): void => {
    try {
      meaning.setOn(isOn)
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('sources.contentFailed'))
    }
  }
  return (
    <div className={styles.meaning}>
      <div>
        <p className={styles.name}>{t('sources.meaning')}</p>
        <p className={styles.hint}>{t('sources.meaningHint')}</p>
      </div>
      <Switch label={t('sources.meaning')} checked={meaning.isOn} onChange={change} />
    </div>
  )
}
