import '../../i18n/later-texts'
import { Cloud, Lock } from 'lucide-react'
import { modeOf } from '../../data/channels/homes'
import { newChatDraftId } from '../../data/channels/new-chat'
import { useStorageMode } from '../../data/channels/storage-mode'
import { useChannel } from '../../data/channels/use-channels'
import { useTranslation } from '../../i18n/interface-language'
import styles from './add-dialog.module.css'

/** Where the sources of this chat are read and kept. */
export function HomeNote({ channelId }: { channelId: string }) {
  const { t } = useTranslation()
  const channel = useChannel(channelId)
  const chosen = useStorageMode()
  const home = channel ? modeOf(channel) : channelId === newChatDraftId(false) ? chosen : 'local'
  return (
    <p className={styles.home} data-home={home}>
      {home === 'cloud' ? <Cloud aria-hidden="true" /> : <Lock aria-hidden="true" />}
      <span>{t(home === 'cloud' ? 'sources.readInCloud' : 'sources.readHere')}</span>
    </p>
  )
}
