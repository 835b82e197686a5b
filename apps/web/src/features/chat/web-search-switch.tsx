import '../../i18n/later-texts'
import { noMoney, parseDollars } from '@parley/contract/money'
import { Globe } from 'lucide-react'
import { useRequireLogin } from '../../data/auth/require-login'
import { switchWebSearch } from '../../data/channels/switch-web-search'
import { useChannel } from '../../data/channels/use-channels'
import { useSearchesWeb } from '../../data/channels/web-search'
import { useConfig } from '../../data/config/use-config'
import { usePlan } from '../../data/credits/plan'
import { useTranslation } from '../../i18n/interface-language'
import { costText } from '../../lib/dollar-text'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'
import { Tooltip } from '../../ui/tooltip'
import styles from './web-search-switch.module.css'

/** Lets the questions of a chat search the web; without an id, of the next new chat. It tells what a search costs. */
export default function WebSearchSwitch({ channelId }: { channelId: string | undefined }) {
  const { t, language } = useTranslation()
  const requireLogin = useRequireLogin()
  const offer = useConfig()?.webSearch
  const plan = usePlan().kind
  const pays = plan === 'credits' || plan === 'signed-out'
  const channel = useChannel(channelId)
  const isOn = useSearchesWeb(channelId)
  if (!offer || (channelId !== undefined && !channel)) return null
  const price = pays ? (parseDollars(offer.price) ?? noMoney) : noMoney
  const label = price === noMoney ? t('webSearch.name') : t('webSearch.priced', { price: costText(price, language) })
  const change = async (): Promise<void> => {
    if (!requireLogin()) return
    try {
      await switchWebSearch(channel, !isOn)
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('webSearch.failed'))
    }
  }
  return (
    <Tooltip label={label}>
      <button
        type="button"
        role="switch"
        className={styles.switch}
        aria-label={label}
        aria-checked={isOn}
        onClick={() => void change()}
      >
        <Globe aria-hidden="true" />
        <span className={styles.name}>{t('webSearch.short')}</span>
        <span className={styles.track}>
          <span className={styles.thumb} />
        </span>
      </button>
    </Tooltip>
  )
}
