import { useUser } from '../../data/session/stored-session'
import { useAllChats } from '../../features/channels/use-all-chats'
import { DeleteAccountSection } from '../../features/settings/delete-account-section'
import { PasswordSection } from '../../features/settings/password-section'
import { VaultSettings } from '../../features/vault/vault-settings'
import { useLocation } from '../../lib/router/router'

export function SecurityTab() {
  const user = useUser()
  const chats = useAllChats()
  const isRecovering = useLocation(({ search }) => new URLSearchParams(search).get('recoverPassword') === 'true')
  if (!user) return null
  return (
    <>
      <PasswordSection user={user} isRecovering={isRecovering} />
      <VaultSettings />
      <DeleteAccountSection user={user} chatCount={chats.count} onExportChats={chats.exportAll} />
    </>
  )
}
