import '../../i18n/later-texts'
import type { Payment, PaymentStatus } from '@parley/contract/payments'
import { useEffect, useEffectEvent, useState } from 'react'
import { refreshCredits } from '../../data/credits/balance'
import { paymentPollMs, refreshPayments, usePayments } from '../../data/payments/payments'
import { useTranslation } from '../../i18n/interface-language'
import { toast } from '../../ui/toast'

/** How long the page polls; a confirmation usually takes seconds. */
const longestWaitMs = 5 * 60_000
/** A payment that ended longer ago was reported before. */
const recentMs = 10 * 60_000

/** late: it may still be confirmed, but polling has stopped. over: it has failed. */
type Stage = 'waiting' | 'late' | 'done' | 'over'

/** Polls the newest card payment until its status is final. */
export function useReturnedPayment(): { stage: Stage; status: PaymentStatus | undefined } {
  const { t } = useTranslation()
  const [askedAt] = useState(Date.now)
  const [isLate, setIsLate] = useState(false)
  const { data: payments, dataUpdatedAt } = usePayments()
  // Data fetched before the return says nothing about it.
  const payment = dataUpdatedAt >= askedAt ? payments?.find(({ method }) => method === 'card') : undefined
  const stage = stageOf(payment, { askedAt, isLate })

  useEffect(() => {
    refreshPayments()
    refreshCredits()
  }, [])

  useEffect(() => {
    if (stage !== 'waiting') return
    const asking = setInterval(refreshPayments, paymentPollMs)
    const waiting = setTimeout(() => setIsLate(true), longestWaitMs)
    return () => {
      clearInterval(asking)
      clearTimeout(waiting)
    }
  }, [stage])

  const celebrate = useEffectEvent(() => {
    refreshCredits()
    toast.success(t('payments.added'))
  })
  const isNews = payment?.status === 'completed' && isRecent(payment, askedAt)
  useEffect(() => {
    if (isNews) celebrate()
  }, [isNews])

  return { stage, status: payment?.status }
}

function stageOf(payment: Payment | undefined, { askedAt, isLate }: { askedAt: number; isLate: boolean }): Stage {
  if (!payment || payment.status === 'pending') return isLate ? 'late' : 'waiting'
  if (payment.status === 'completed' || !isRecent(payment, askedAt)) return 'done'
  return 'over'
}

const isRecent = ({ updated_at }: Payment, askedAt: number): boolean => Date.parse(updated_at) > askedAt - recentMs
