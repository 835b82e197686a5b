import { useTranslation } from 'react-i18next'
import { setStorageMode, useStorageMode } from '../../data/channels/storage-mode'
import { useRequireLogin } from '../../data/session/require-login'
import { useSelectChannel } from '../../lib/selected-channel'
import { Segmented } from '../../ui/segmented'

/** Local or Cloud for new chats. The sidebar keeps it hidden, as specified: the one by the composer is the visible one. */
export function StorageModeSwitch() {
  const { t } = useTranslation()
  const mode = useStorageMode()
  const requireLogin = useRequireLogin()
  const select = useSelectChannel()
  return (
    <Segmented
      label={t('shell.storageMode')}
      value={mode}
      onChange={(next) => {
        if (next === 'cloud' && !requireLogin()) return
        setStorageMode(next)
        select(undefined)
      }}
      options={[
        { value: 'local', label: t('shell.storageLocal') },
        { value: 'cloud', label: t('shell.storageCloud') },
      ]}
    />
  )
}
