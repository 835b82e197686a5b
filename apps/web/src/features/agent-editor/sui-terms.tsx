import '../../i18n/later-texts'
import type { AgentDraft } from '@parley/contract/agents'
import { limits } from '@parley/contract/limits/shared'
import { product } from '@parley/contract/product'
import type { ReactNode } from 'react'
import type { AgentForm } from '../../data/agents/agent-form'
import type { Translate } from '../../i18n/interface-language'
import { useTranslation } from '../../i18n/interface-language'
import { Field, TextInput } from '../../ui/field'

/** The differences of an editor whose changes a wallet signs. */
export type SigningTerms = {
  publish: (draft: AgentDraft) => Promise<void>
  remove?: (() => Promise<void>) | undefined
  onClose: () => void
  submitLabel: string
  /** Fields below the general ones. */
  extra: ReactNode
  /** Something outside of the form was changed. */
  isChanged?: boolean
  /** The form as signed, where that differs from the agent's shown fields. */
  initial?: AgentForm | undefined
}

/** Loads the signing code when it is needed: it is in no first load. */
export const loadSigning = () => import('../../data/agents/sui-signing')

/** The text for a refusal of the wallet; undefined for other errors. */
export function signingProblem(error: unknown, t: Translate): string | undefined {
  if (!(error instanceof Error) || error.name !== 'SuiSigningError' || !('reason' in error)) return undefined
  if (error.reason === 'missing') return t('suiAgents.signingMissing')
  return error.reason === 'other' ? t('suiAgents.signingOther') : t('suiAgents.signingRefused')
}

export function PriceField({ price, onChange }: { price: number; onChange: (price: number) => void }) {
  const { t } = useTranslation()
  const max = limits.agents.sui.maxPrice
  return (
    <Field label={t('suiAgents.price')} hint={t('suiAgents.priceHint', { product: product.name })}>
      <TextInput
        inputMode="numeric"
        autoComplete="off"
        value={String(price)}
        onChange={(event) => onChange(Math.min(max, Number(event.target.value.replace(/\D/g, '') || '0')))}
      />
    </Field>
  )
}
