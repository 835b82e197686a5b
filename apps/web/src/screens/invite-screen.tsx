import '../i18n/later-texts'
import { AppError } from '@parley/contract/errors'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { acceptInvitation, invitationQuery } from '../data/channels/sharing'
import { openLoginPanel } from '../data/session/login-panel'
import { useUser } from '../data/session/stored-session'
import { useShortDate } from '../features/channels/use-short-date'
import { useTranslation } from '../i18n/interface-language'
import { errorMessage } from '../lib/error-message'
import { useNavigate, useParam } from '../lib/router/router'
import { useSelectChannel } from '../lib/selected-channel'
import { Button } from '../ui/button'
import { Card } from '../ui/card'
import { EmptyState } from '../ui/empty-state'
import { Skeleton } from '../ui/skeleton'
import { toast } from '../ui/toast'
import styles from './invite-screen.module.css'

/** Where an invitation link leads: what it is, and whether one wants it. */
export default function InviteScreen() {
  const token = useParam('token')
  const { t, language } = useTranslation()
  const navigate = useNavigate()
  const { data, isPending, error, refetch } = useQuery(invitationQuery(token))

  if (isPending) return <Loading />
  if (error) {
    // It will not come back; everything else may.
    const isGone = error instanceof AppError && error.status === 404
    return (
      <div className={styles.page}>
        <EmptyState
          title={errorMessage(error, language) ?? t('sharing.invitationGone')}
          action={
            <Button variant="primary" onClick={() => void (isGone ? navigate('/app') : refetch())}>
              {t(isGone ? 'sharing.toApp' : 'sharing.retry')}
            </Button>
          }
        />
      </div>
    )
  }
  return <Invitation token={token} {...data} />
}

type InvitationProps = {
  token: string
  channelName: string
  ownerName: string
  role: 'read' | 'write'
  expires_at: string
}

function Invitation({ token, channelName, ownerName, role, expires_at }: InvitationProps) {
  const { t, language } = useTranslation()
  const isSignedIn = useUser() !== undefined
  const select = useSelectChannel()
  const dateOf = useShortDate()
  const [isBusy, setIsBusy] = useState(false)

  async function accept() {
    setIsBusy(true)
    try {
      const channel = await acceptInvitation(token)
      toast.success(t('sharing.joined', { name: channel.channelName }))
      select(channel.id, { replace: true })
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('sharing.failed'))
      setIsBusy(false)
    }
  }

  return (
    <div className={styles.page}>
      <Card className={styles.card}>
        <h1>{t('sharing.invitationTitle', { name: channelName })}</h1>
        <p>{t(role === 'read' ? 'sharing.invitationRead' : 'sharing.invitationWrite', { owner: ownerName })}</p>
        <p className={styles.fine}>{t('sharing.invitationUntil', { date: dateOf(expires_at) })}</p>
        {isSignedIn ? (
          <Button variant="primary" size="large" wide busy={isBusy} onClick={() => void accept()}>
            {t('sharing.accept')}
          </Button>
        ) : (
          <Button
            variant="primary"
            size="large"
            wide
            onClick={() => openLoginPanel('sign-in', { returnTo: location.pathname })}
          >
            {t('sharing.signInToAccept')}
          </Button>
        )}
      </Card>
    </div>
  )
}

function Loading() {
  const { t } = useTranslation()
  return (
    <div className={styles.page}>
      <Card className={styles.card} role="status" aria-label={t('sharing.invitationLoading')}>
        <Skeleton width="70%" height="28px" />
        <Skeleton width="90%" height="16px" />
        <Skeleton width="50%" height="14px" />
      </Card>
    </div>
  )
}
