import { ChevronsUpDown, X } from 'lucide-react'
import { type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useUser } from '../../data/session/stored-session'
import { useTranslation } from '../../i18n/interface-language'
import { personDetail, personName } from '../../lib/shown-person'
import { Avatar } from '../../ui/avatar'
import { IconButton } from '../../ui/button'
import { lazyPart } from '../../ui/lazy-part'
import styles from './account-menu.module.css'

const AccountMenuItems = lazyPart(() => import('./account-menu-items'))

/** Who is here, what this browser should look like, and help. */
export function AccountMenu({ isCompact }: { isCompact: boolean }) {
  const { t } = useTranslation()
  const user = useUser()
  const [isOpen, setIsOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)
  const panelId = useId()
  const name = user ? personName(user) : t('shell.guest')
  const avatar = (size: number) => (
    <Avatar seed={user?.id ?? 'guest'} name="" size={size} picture={user?.user_metadata.picture} />
  )
  const close = () => {
    setIsOpen(false)
    opener.current?.focus()
  }
  useDismissal(root, isOpen, setIsOpen, close)

  return (
    <div ref={root} className={styles.account} data-compact={isCompact || undefined}>
      {isOpen && (
        <section
          id={panelId}
          className={styles.panel}
          aria-label={t('shell.accountMenu')}
          tabIndex={-1}
          ref={focusOn}
          data-keeps-focus=""
        >
          <div className={styles.head}>
            {avatar(36)}
            <div className={styles.person}>
              <p className={styles.name}>{name}</p>
              {user && <p className={styles.email}>{personDetail(user)}</p>}
            </div>
            <IconButton label={t('common.close')} icon={X} size="small" onClick={close} />
          </div>
          <Suspense>
            <AccountMenuItems user={user} close={close} />
          </Suspense>
        </section>
      )}
      <button
        ref={opener}
        type="button"
        className={styles.opener}
        aria-expanded={isOpen}
        aria-controls={isOpen ? panelId : undefined}
        aria-label={t(user ? 'shell.ownAccountOf' : 'shell.accountOf', { name })}
        onClick={() => setIsOpen(!isOpen)}
      >
        {avatar(30)}
        {!isCompact && <span className={styles.name}>{name}</span>}
        {!isCompact && <ChevronsUpDown aria-hidden="true" />}
      </button>
    </div>
  )
}

const focusOn = (element: HTMLElement | null): void => element?.focus()

/** A press outside, the focus elsewhere and Esc close the panel; Esc gives the focus back. */
function useDismissal(
  root: RefObject<HTMLElement | null>,
  isOpen: boolean,
  setIsOpen: (isOpen: boolean) => void,
  close: () => void,
): void {
  const onEscape = useRef(close)
  useEffect(() => {
    onEscape.current = close
  })
  useEffect(() => {
    if (!isOpen) return
    const onLeave = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setIsOpen(false)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      onEscape.current()
    }
    for (const name of ['pointerdown', 'focusin']) document.addEventListener(name, onLeave)
    // Before the drawer's own Esc.
    document.addEventListener('keydown', onKeyDown, true)
    return () => {
      for (const name of ['pointerdown', 'focusin']) document.removeEventListener(name, onLeave)
      document.removeEventListener('keydown', onKeyDown, true)
    }
  }, [root, isOpen, setIsOpen])
}
