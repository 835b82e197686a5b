import { type ReactNode, Suspense } from 'react'
import { signOut } from '../../data/auth/sign-out'
import { useVault } from '../../data/vault/vault-state'
import { Outlet } from '../../lib/router/outlet'
import { usePageData } from '../../lib/router/router'
import { lazyPart } from '../../ui/lazy-part'
import styles from './vault-gate.module.css'

const UnlockScreen = lazyPart(() => import('../../features/vault/unlock-screen'))

/** Nothing of the app is there before this device's chats can be read: not its list, not its sockets. */
export function VaultGate({ children }: { children: ReactNode }) {
  const status = useVault((state) => state.status)
  const isOpenWhileLocked = usePageData('isOpenWhileLocked') === true
  if (status === 'open') return children
  if (status !== 'locked') return null
  return isOpenWhileLocked ? (
    <main className={styles.alone}>
      <Outlet />
    </main>
  ) : (
    <Suspense>
      <UnlockScreen onLogOut={() => void signOut()} />
    </Suspense>
  )
}
