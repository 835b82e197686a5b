import { useRequireLogin } from '../../data/auth/require-login'
import { setStorageMode, useStorageMode } from '../../data/channels/storage-mode'
import { useTranslation } from '../../i18n/interface-language'
import { useSelectChannel } from '../../lib/selected-channel'
import { Segmented } from '../../ui/segmented'

/** Local or Cloud for new chats. The sidebar's switch is hidden, as specified: the visible one is at the composer. */
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
