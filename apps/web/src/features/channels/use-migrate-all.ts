import { isShared } from '@parley/contract/channels'
import { useTranslation } from 'react-i18next'
import { migrateAll, useMigration } from '../../data/channels/migrate-all'
import { useChannels } from '../../data/channels/use-channels'
import { useRequireLogin } from '../../data/session/require-login'
import { errorMessage } from '../../lib/error-message'
import { confirmToast, toast } from '../../ui/toast'

/** Moving all cloud chats to this device: how many there are, how far it is, and how it begins. */
export function useMigrateAll() {
  const { t, i18n } = useTranslation()
  const { channels, inCloud } = useChannels()
  const progress = useMigration((state) => state.progress)
  const requireLogin = useRequireLogin()
  // What several people use stays where all of them reach it.
  const count = inCloud.filter((channel) => !channel.isLocked && !isShared(channel)).length

  async function migrate() {
    if (!requireLogin() || progress) return
    if (count === 0) return toast.notice(t('channels.allLocal'))
    if (!(await confirmToast({ message: t('channels.confirmToDevice', { count }) }))) return toast.notice(t('channels.migrationCancelled'))
    try {
      const { migrated, existing, deleted, failed, locked } = await migrateAll()
      const rest = [failed > 0 && t('channels.migrationFailedCount', { count: failed }), locked > 0 && t('channels.migrationLockedCount', { count: locked })]
      const summary = [t('channels.migrationComplete', { migrated, existing, deleted }), ...rest].filter(Boolean).join(' ')
      if (failed > 0) toast.error(`${t('channels.migrationFailed')} ${summary}`)
      else toast.success(`${t('channels.migrationDone')} ${summary}`)
    } catch (error) {
      const message = errorMessage(error, i18n.language)
      toast.error(message === undefined ? t('channels.migrationFailed') : t('channels.migrateAllFailed', { message }))
    }
  }

  return { count, progress, migrate: () => void migrate(), total: channels.length, cloud: inCloud.length }
}
