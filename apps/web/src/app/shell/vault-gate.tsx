import { type ReactNode, Suspense } from 'react'
import { signOut } from '../../data/session/sign-out'
import { useVault } from '../../data/vault/vault-state'
import { lazyPart } from '../../ui/lazy-part'

const UnlockScreen = lazyPart(() => import('../../features/vault/unlock-screen'))

/** Nothing of the app is there before this device's chats can be read: not its list, not its sockets. */
export function VaultGate({ children }: { children: ReactNode }) {
  const status = useVault((state) => state.status)
  if (status === 'open') return children
  return status === 'locked' ? (
    <Suspense>
      <UnlockScreen onLogOut={() => void signOut()} />
    </Suspense>
  ) : null
}
