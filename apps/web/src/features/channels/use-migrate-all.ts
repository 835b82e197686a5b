import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { migrateAll, useMigration } from '../../data/channels/migrate-all'
import { migrationStats } from '../../data/channels/migration-stats'
import { useChannels } from '../../data/channels/use-channels'
import { useRequireLogin } from '../../data/session/require-login'
import { useUser } from '../../data/session/stored-session'
import { errorMessage } from '../../lib/error-message'
import { confirmToast, toast } from '../../ui/toast'

/** Moving all cloud chats to this device: how many there are, how far it is, and how it begins. */
export function useMigrateAll() {
  const { t, i18n } = useTranslation()
  const { channels, inBoth } = useChannels()
  const progress = useMigration((state) => state.progress)
  const requireLogin = useRequireLogin()
  const isAnonymous = useUser() === undefined
  const stats = useMemo(() => migrationStats(channels, inBoth), [channels, inBoth])

  async function migrate() {
    if (!requireLogin() || progress) return
    if (stats.needsMigration === 0) return toast.notice(t('channels.allLocal'))
    if (!(await confirmToast({ message: t('channels.confirmToDevice', { count: stats.needsMigration }) })))
      return toast.notice(t('channels.migrationCancelled'))
    try {
      const { migrated, existing, deleted, failed, locked } = await migrateAll()
      // Another device was faster.
      if (migrated + existing + failed + locked === 0) return toast.notice(t('channels.allLocal'))
      const rest = [failed > 0 && t('channels.migrationFailedCount', { count: failed }), locked > 0 && t('channels.migrationLockedCount', { count: locked })]
      const outcome = t(failed > 0 ? 'channels.migrationFailed' : 'channels.migrationDone')
      const sentences = [outcome, t('channels.migrationComplete', { migrated, existing, deleted }), ...rest].filter(Boolean).join(' ')
      if (failed > 0) toast.error(sentences)
      else toast.success(sentences)
    } catch (error) {
      const message = errorMessage(error, i18n.language)
      toast.error(message === undefined ? t('channels.migrationFailed') : t('channels.migrateAllFailed', { message }))
    }
  }

  /** Whoever is not signed in is asked to, rather than told that there is nothing to do. */
  const canMigrate = progress === undefined && (isAnonymous || stats.needsMigration > 0)
  return { ...stats, progress, canMigrate, migrate: () => void migrate() }
}
