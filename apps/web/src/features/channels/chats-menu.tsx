import { Download, Ellipsis, HardDriveDownload, Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useRequireLogin } from '../../data/auth/require-login'
import { useStorageMode } from '../../data/channels/storage-mode'
import { useChannels } from '../../data/channels/use-channels'
import { useTranslation } from '../../i18n/interface-language'
import { useSelectChannel } from '../../lib/selected-channel'
import { loadPart, tellOfFailure } from '../../ui/lazy-part'
import { Menu } from '../../ui/menu'
import { exportAllChats, importChats } from './transfers'
import { useMigrateAll } from './use-migrate-all'

export function ChatsMenu() {
  const { t, language } = useTranslation()
  const { channels } = useChannels()
  const select = useSelectChannel()
  const [isDeleting, setIsDeleting] = useState(false)
  const fileInput = useRef<HTMLInputElement>(null)
  const requireLogin = useRequireLogin()
  const mode = useStorageMode()
  const migration = useMigrateAll()
  const isEmpty = channels.length === 0

  async function deleteAll() {
    setIsDeleting(true)
    const texts =
      mode === 'cloud'
        ? { question: t('channels.confirmDeleteAllCloud'), done: t('channels.allCloudDeleted') }
        : { question: t('channels.confirmDeleteAllLocal'), done: t('channels.allLocalDeleted') }
    const { deleteAllChats } = await loadPart(() => import('./delete-all-chats'), tellOfFailure)
    await deleteAllChats({
      t,
      language,
      channels,
      unselect: () => select(undefined),
      modes: [mode],
      texts,
    })
    setIsDeleting(false)
  }

  return (
    <>
      <Menu
        label={t('channels.menu')}
        icon={Ellipsis}
        size="small"
        align="end"
        items={[
          {
            id: 'export-all',
            label: t('channels.exportAll'),
            icon: Download,
            disabled: isEmpty,
            onSelect: () => void (requireLogin() && exportAllChats({ t, language })),
          },
          {
            id: 'import',
            label: t('channels.importAll'),
            icon: Upload,
            onSelect: () => requireLogin() && fileInput.current?.click(),
          },
          {
            id: 'migrate',
            label: t('channels.migrateToLocal', { count: migration.needsMigration }),
            icon: HardDriveDownload,
            disabled: !migration.canMigrate,
            onSelect: migration.migrate,
          },
          'separator',
          {
            id: 'delete-all',
            label: t('channels.deleteAll'),
            icon: Trash2,
            tone: 'danger',
            disabled: isEmpty || isDeleting,
            onSelect: () => void (requireLogin() && deleteAll()),
          },
        ]}
      />
      <input
        ref={fileInput}
        type="file"
        accept=".json,.zip,application/json,application/zip"
        hidden
        aria-label={t('channels.importAll')}
        onChange={(event) => {
          const file = event.target.files?.[0]
          // Reset, so that the same file can be chosen again.
          event.target.value = ''
          if (file) void importChats(file, { t, language })
        }}
      />
    </>
  )
}
