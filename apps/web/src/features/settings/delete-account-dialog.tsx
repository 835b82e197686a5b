import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits/shared'
import { shortAddress, type User } from '@parley/contract/users'
import { type FormEvent, useState } from 'react'
import { useAgentList } from '../../data/agents/agent-lists'
import { deleteAccount } from '../../data/auth/account'
import { signOut } from '../../data/auth/sign-out'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { walletAddress } from '../../lib/shown-person'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import { toast } from '../../ui/toast'
import styles from './form.module.css'

type Props = { user: User; chatCount: number; onExportChats: () => void; onClose: () => void }

const formId = 'delete-account'

/**
 * Confirms the deletion of the account by its e-mail, or a wallet's short address. The chats on this device are
 * encrypted with the account's key and deleted too; they can be exported first.
 */
export default function DeleteAccountDialog({ user, chatCount, onExportChats, onClose }: Props) {
  const { t, language } = useTranslation()
  const [typed, setTyped] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [keepsAgents, setKeepsAgents] = useState(false)
  const { agents } = useAgentList('mine', { page: 0, size: limits.agents.maxPage })
  const hasPublicAgents = agents?.some((agent) => !agent.private && agent.enabled) ?? false
  const proofs = proofsOf(user)
  const isProved = proofs.some((proof) => proof.toLowerCase() === typed.trim().toLowerCase())

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!isProved || isBusy) return
    setIsBusy(true)
    try {
      await deleteAccount(user.id, { keepsAgents })
      await signOut({ removeChats: true })
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('settings.unknownError'))
      setIsBusy(false)
    }
  }

  return (
    <Dialog
      title={t('settings.deleteAccountTitle')}
      size="small"
      isStatic
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose} disabled={isBusy}>
            {t('settings.cancel')}
          </Button>
          <Button variant="danger" type="submit" form={formId} busy={isBusy} disabled={!isProved}>
            {t('settings.deleteAccount')}
          </Button>
        </>
      }
    >
      <form id={formId} className={styles.form} onSubmit={(event) => void submit(event)} noValidate>
        <p className={styles.explanation}>{t('settings.deleteAccountWarning')}</p>
        {chatCount > 0 && (
          <div className={styles.notice}>
            <p className={styles.grow}>{t('settings.deleteAccountChats', { count: chatCount })}</p>
            <Button size="small" onClick={onExportChats}>
              {t('settings.deleteAccountExport')}
            </Button>
          </div>
        )}
        {hasPublicAgents && (
          <label className={styles.choice}>
            <input type="checkbox" checked={keepsAgents} onChange={(event) => setKeepsAgents(event.target.checked)} />
            {t('settings.deleteAccountKeepAgents')}
          </label>
        )}
        <Field label={t('settings.typeToConfirm', { proof: proofs[0] })}>
          <TextInput
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </Field>
      </form>
    </Dialog>
  )
}

/**
 * The accepted spellings; the first is shown. Three dots are easier to type than an ellipsis, and the whole address is
 * accepted too.
 */
function proofsOf(user: User): string[] {
  const address = walletAddress(user)
  if (address === undefined) return [user.email]
  const short = shortAddress(address)
  return [short, short.replace('…', '...'), address]
}
