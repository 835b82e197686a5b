import '../../i18n/later-texts'
import { useQuery } from '@tanstack/react-query'
import { invitationsQuery, membersQuery, removeMember, revokeInvitation } from '../../data/channels/sharing'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { EmptyState } from '../../ui/empty-state'
import { Skeleton } from '../../ui/skeleton'
import { confirmToast, toast } from '../../ui/toast'
import { channelDialog } from './channel-dialog-state'
import { InvitationForm } from './invitation-form'
import styles from './members-dialog.module.css'
import { useShortDate } from './use-short-date'

/** The members and invitations of the person's own channel. */
export default function MembersDialog({ channelId }: { channelId: string }) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('members.invite')}
      onClose={channelDialog.close}
      footer={
        <Button variant="quiet" onClick={channelDialog.close}>
          {t('channels.close')}
        </Button>
      }
    >
      <div className={styles.body}>
        <InvitationForm channelId={channelId} />
        <OpenLinks channelId={channelId} />
        <Members channelId={channelId} />
      </div>
    </Dialog>
  )
}

function OpenLinks({ channelId }: { channelId: string }) {
  const { t } = useTranslation()
  const { data, refetch } = useQuery(invitationsQuery(channelId))
  const dateOf = useShortDate()
  const attempt = useAttempt()
  if (!data || data.length === 0) return null

  const revoke = (id: string) =>
    attempt(async () => {
      await revokeInvitation(channelId, id)
      await refetch()
      toast.success(t('sharing.revoked'))
    })
  return (
    <section className={styles.part} aria-labelledby="open-links">
      <h3 id="open-links">{t('sharing.links')}</h3>
      <ul className={styles.list}>
        {data.map(({ id, role, expires_at, uses }) => (
          <li key={id}>
            <span className={styles.words}>
              <b>{t(role === 'read' ? 'sharing.read' : 'sharing.write')}</b>
              <span className={styles.fine}>
                {t('sharing.until', { date: dateOf(expires_at) })}
                {uses > 0 && ` · ${t('sharing.uses', { count: uses })}`}
              </span>
            </span>
            <Button
              size="small"
              aria-label={t('sharing.revokeNamed', { date: dateOf(expires_at) })}
              onClick={() => void revoke(id)}
            >
              {t('sharing.revoke')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const roleText = { owner: 'sharing.owner', read: 'sharing.read', write: 'sharing.write' } as const

function Members({ channelId }: { channelId: string }) {
  const { t } = useTranslation()
  const own = useUser()?.id
  const { data, isPending, error, refetch } = useQuery(membersQuery(channelId))
  const attempt = useAttempt()

  const remove = (userId: string, name: string) =>
    attempt(async () => {
      if (!(await confirmToast({ message: t('sharing.confirmRemove', { name }), danger: true }))) return
      await removeMember(channelId, userId)
      await refetch()
      toast.success(t('sharing.removed', { name }))
    })
  return (
    <section className={styles.part} aria-labelledby="members">
      <h3 id="members">{t('sharing.people')}</h3>
      {isPending ? (
        <div className={styles.loading} role="status" aria-label={t('sharing.loading')}>
          <Skeleton width="60%" height="16px" />
          <Skeleton width="45%" height="16px" />
        </div>
      ) : error ? (
        <EmptyState
          title={t('sharing.loadFailed')}
          action={
            <Button size="small" onClick={() => void refetch()}>
              {t('sharing.retry')}
            </Button>
          }
        />
      ) : (
        <>
          <ul className={styles.list}>
            {data.map(({ userId, name, role }) => (
              <li key={userId}>
                <span className={styles.words}>
                  <b>{userId === own ? t('sharing.you', { name }) : name}</b>
                  <span className={styles.fine}>{t(roleText[role])}</span>
                </span>
                {role !== 'owner' && (
                  <Button
                    size="small"
                    aria-label={t('sharing.removeNamed', { name })}
                    onClick={() => void remove(userId, name)}
                  >
                    {t('sharing.remove')}
                  </Button>
                )}
              </li>
            ))}
          </ul>
          {data.length === 1 && <p className={styles.fine}>{t('sharing.nobody')}</p>}
        </>
      )}
    </section>
  )
}

/** Runs an action, and reports its failure. */
function useAttempt(): (action: () => Promise<void>) => Promise<void> {
  const { t, language } = useTranslation()
  return async (action) => {
    try {
      await action()
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('sharing.failed'))
    }
  }
}
