import '../../i18n/later-texts'
import { isOwnAgent, type SeenAgent } from '@parley/contract/agents'
import type { SuiAnchoring } from '@parley/contract/config'
import { Anchor, Copy } from 'lucide-react'
import { useState } from 'react'
import type { AnchorCheck } from '../../data/agents/sui-anchors'
import type { Translate } from '../../i18n/interface-language'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button, IconButton } from '../../ui/button'
import { toast } from '../../ui/toast'
import { copyText } from './sui-copy'
import styles from './sui-history.module.css'

/** The anchor of a version. */
export function AnchorLine({ anchor: { mark, transaction, at, chain } }: { anchor: AnchorCheck }) {
  const { t, language } = useTranslation()
  const shown = { transaction: shortTransaction(transaction) }
  if (mark === 'bad') return <span>{t('suiAgents.anchor.bad', shown)}</span>
  if (chain === 'away') return <span>{t('suiAgents.anchor.away')}</span>
  if (chain === 'missing') return <span>{t('suiAgents.anchor.missing', shown)}</span>
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(at))
  return <span>{t('suiAgents.anchor.at', { ...shown, time })}</span>
}

const shortTransaction = (digest: string): string => `${digest.slice(0, 6)}…${digest.slice(-4)}`

/** The whole digest, to look it up elsewhere. */
export function AnchorTransaction({ transaction }: { transaction: string }) {
  const { t } = useTranslation()
  return (
    <p className={styles.transaction}>
      <span>{t('suiAgents.anchor.transaction')}</span> <code dir="ltr">{transaction}</code>
      <IconButton
        size="small"
        icon={Copy}
        label={t('suiAgents.anchor.copy')}
        onClick={() => void copyText(transaction, t)}
      />
    </p>
  )
}

type Props = { agent: SeenAgent; anchoring: SuiAnchoring; onAnchored: (() => void) | undefined }

/** For the owner of a version without an anchor: optional, and not free. */
export function AnchorOffer({ agent, anchoring, onAnchored }: Props) {
  const { t, language } = useTranslation()
  const [isBusy, setIsBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [sent, setSent] = useState<string>()
  if (!isOwnAgent(agent) || !agent.sui || agent.sui.isAnchored) return null
  const { version } = agent.sui

  async function anchor() {
    setIsBusy(true)
    setProblem(undefined)
    try {
      const { anchorSuiAgent } = await import('../../data/agents/sui-anchors')
      await anchorSuiAgent(agent._id, anchoring, sent)
      setSent(undefined)
      toast.success(t('suiAgents.anchor.done', { version }))
      onAnchored?.()
    } catch (error) {
      if (isSent(error)) setSent(error.transaction)
      else setProblem(anchorRefusal(error, t) ?? errorMessage(error, language) ?? t('suiAgents.anchor.failed'))
    } finally {
      setIsBusy(false)
    }
  }

  return (
    <div className={styles.offer}>
      <p
        role={problem !== undefined || sent !== undefined ? 'alert' : undefined}
        data-tone={problem === undefined ? undefined : 'bad'}
      >
        {problem ?? (sent === undefined ? t('suiAgents.anchor.why', { version }) : t('suiAgents.anchor.sent'))}
      </p>
      <Button size="small" icon={Anchor} busy={isBusy} onClick={() => void anchor()}>
        {t(sent === undefined ? 'suiAgents.anchor.do' : 'suiAgents.anchor.lookAgain')}
      </Button>
    </div>
  )
}

/** Compared by name: the class is loaded with the code that throws it. */
const isSent = (error: unknown): error is Error & { transaction: string } =>
  error instanceof Error && error.name === 'AnchorSentError' && 'transaction' in error

function anchorRefusal(error: unknown, t: Translate): string | undefined {
  if (!(error instanceof Error) || error.name !== 'SuiSigningError' || !('reason' in error)) return undefined
  if (error.reason === 'missing') return t('suiAgents.signingMissing')
  if (error.reason === 'unable') return t('suiAgents.anchor.unable')
  return error.reason === 'other' ? t('suiAgents.signingOther') : t('suiAgents.anchor.refused')
}
