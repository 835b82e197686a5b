import { useMemo } from 'react'
import { useRequireLogin } from '../../data/auth/require-login'
import { useMigration } from '../../data/channels/migration-state'
import { migrationStats } from '../../data/channels/migration-stats'
import { useChannels } from '../../data/channels/use-channels'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { loadPart, tellOfFailure } from '../../ui/lazy-part'
import { confirmToast, toast } from '../../ui/toast'

/** The migration of all cloud chats to this device: their number, the progress, and the start. */
export function useMigrateAll() {
  const { t, language } = useTranslation()
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
      const { migrateAll } = await loadPart(() => import('../../data/channels/migrate-all'), tellOfFailure)
      const { migrated, existing, deleted, failed, locked } = await migrateAll()
      // Another device has moved them already.
      if (migrated + existing + failed + locked === 0) return toast.notice(t('channels.allLocal'))
      const rest = [
        failed > 0 && t('channels.migrationFailedCount', { count: failed }),
        locked > 0 && t('channels.migrationLockedCount', { count: locked }),
      ]
      const outcome = t(failed > 0 ? 'channels.migrationFailed' : 'channels.migrationDone')
      const sentences = [outcome, t('channels.migrationComplete', { migrated, existing, deleted }), ...rest]
        .filter(Boolean)
        .join(' ')
      if (failed > 0) toast.error(sentences)
      else toast.success(sentences)
    } catch (error) {
      const message = errorMessage(error, language)
      toast.error(message === undefined ? t('channels.migrationFailed') : t('channels.migrateAllFailed', { message }))
    }
  }

  /** An anonymous person is asked to sign in, instead of being told that there is nothing to do. */
  const canMigrate = progress === undefined && (isAnonymous || stats.needsMigration > 0)
  return { ...stats, progress, canMigrate, migrate: () => void migrate() }
}
