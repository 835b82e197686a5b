import { Suspense, useEffect, useState } from 'react'
import { useLoginPanel } from '../../data/session/login-panel'
import { useUser } from '../../data/session/stored-session'
import { useLocation } from '../../lib/router/router'
import { lazyPart } from '../../ui/lazy-part'

const LoginPanel = lazyPart(() => import('../../features/auth/login-panel'))
const MailLink = lazyPart(() => import('../../features/auth/mail-link'))
const AdoptDialog = lazyPart(() => import('../../features/vault/adopt-dialog'))

/** What signing in shows over any screen: its panel, a link that came by mail, and the chats of before. */
export function SignInHost() {
  const view = useLoginPanel((state) => state.view)
  const userId = useUser()?.id
  const link = useMailLink()
  const [adoptable, setAdoptable] = useState(0)

  useEffect(() => {
    if (userId === undefined) return setAdoptable(0)
    let isCurrent = true
    void import('../../data/channels/adopt-chats')
      .then(({ countAdoptable }) => countAdoptable())
      .then(
        (count) => isCurrent && setAdoptable(count),
        () => undefined,
      )
    return () => {
      isCurrent = false
    }
  }, [userId])

  return (
    <Suspense>
      {view && <LoginPanel view={view} />}
      {link && <MailLink {...link} />}
      {adoptable > 0 && !view && <AdoptDialog count={adoptable} onClose={() => setAdoptable(0)} />}
    </Suspense>
  )
}

/** `#confirmEmail=…` or `#recovery=…`; the former also in the query, where older links have it. */
function useMailLink(): { kind: 'confirm' | 'recover'; token: string } | undefined {
  const hash = useLocation((location) => location.hash)
  const search = useLocation((location) => location.search)
  const fragment = new URLSearchParams(hash)
  const confirm = fragment.get('confirmEmail') ?? new URLSearchParams(search).get('confirmEmail')
  const recover = fragment.get('recovery')
  if (confirm) return { kind: 'confirm', token: confirm }
  return recover ? { kind: 'recover', token: recover } : undefined
}
