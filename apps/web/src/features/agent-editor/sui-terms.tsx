import '../../i18n/later-texts'
import type { AgentDraft } from '@parley/contract/agents'
import { limits } from '@parley/contract/limits'
import { product } from '@parley/contract/product'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AgentForm } from '../../data/agents/agent-form'
import { Field, TextInput } from '../../ui/field'

/** What is different where a wallet signs instead of the account. */
export type Terms = {
  publish: (draft: AgentDraft) => Promise<void>
  remove?: (() => Promise<void>) | undefined
  onClose: () => void
  submitLabel: string
  /** Below the general fields. */
  extra: ReactNode
  /** Something besides the form is changed. */
  isChanged?: boolean
  /** The form as it was signed, where that is not what is shown. */
  initial?: AgentForm | undefined
}

/** Loaded when it is asked for: what signs is in nobody's first load. */
export const loadSigning = () => import('../../data/agents/sui-signing')

/** What the wallet says no to, in words; undefined for everything else. */
export function signingProblem(error: unknown, t: TFunction): string | undefined {
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
