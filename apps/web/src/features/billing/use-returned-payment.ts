import '../../i18n/later-texts'
import type { Payment, PaymentStatus } from '@parley/contract/payments'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { refreshCredits } from '../../data/billing/credits'
import { paymentPollMs, refreshPayments, usePayments } from '../../data/billing/payments'
import { toast } from '../../ui/toast'

/** How long it is waited for; a confirmation usually comes within seconds. */
const longestWaitMs = 5 * 60_000
/** What ended longer ago was told of before. */
const newsMs = 10 * 60_000

/** late: it may still come, but nobody waits for it here. over: it will not come. */
type Stage = 'waiting' | 'late' | 'done' | 'over'

/** What becomes of the newest card payment, asked for until it is known. */
export function useReturnedPayment(): { stage: Stage; status: PaymentStatus | undefined } {
  const { t } = useTranslation()
  const [askedAt] = useState(Date.now)
  const [isLate, setIsLate] = useState(false)
  const { data: payments, dataUpdatedAt } = usePayments()
  // What was known before says nothing of it.
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

const isRecent = ({ updated_at }: Payment, askedAt: number): boolean => Date.parse(updated_at) > askedAt - newsMs
