import { AppError, type ErrorCode } from '@parley/contract/errors'
import { type Payment, paymentRoutes } from '@parley/contract/payments'
import * as z from 'zod/mini'
import { create } from 'zustand'
import { api } from '../api/api'
import { currentScope, resetWithScope, scoped } from '../scope/scope'
import { storedSession } from '../session/stored-session'
import { openDevice } from '../vault/open-device'

const Transfer = z.object({ paymentId: z.string(), hash: z.string(), chainId: z.int(), expiresAt: z.string() })

/** A transfer that the person's wallet sent for a payment, until the server has accepted or refused it. */
export type Transfer = z.infer<typeof Transfer>

/** waiting: for confirmations. unreachable: the server cannot be reached for now. */
export type TransferState =
  | { kind: 'waiting' }
  | { kind: 'unreachable' }
  | { kind: 'paid' }
  | { kind: 'refused'; code: ErrorCode }

const useStates = resetWithScope(create<Partial<Record<string, TransferState>>>(() => ({})))

/** The state of the transfer with this hash. */
export function useTransferState(hash: string): TransferState {
  return useStates((states) => states[hash]) ?? { kind: 'waiting' }
}

export type TransferEnd = { transfer: Transfer; state: Extract<TransferState, { kind: 'paid' | 'refused' }> }
const listeners = new Set<(end: TransferEnd) => void>()

export function onTransferEnd(listener: (end: TransferEnd) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Stores a transfer on this device, and reports it until the server has decided: the money was sent, and the report
 * must survive the page.
 */
export async function trackTransfer(userId: string, transfer: Transfer): Promise<void> {
  follow(userId, transfer)
  await updateStored(userId, (kept) => [...kept.filter(({ hash }) => hash !== transfer.hash), transfer])
}

/** Resumes the reports of a person's stored transfers. */
export async function resumeTransfers(userId: string): Promise<void> {
  for (const transfer of await updateStored(userId, (kept) => kept)) follow(userId, transfer)
}

const followedTransfers = scoped(() => new Set<string>())

function follow(userId: string, transfer: Transfer): void {
  const followed = followedTransfers()
  if (followed.has(transfer.hash)) return
  followed.add(transfer.hash)
  void reportUntilDecided(userId, transfer).finally(() => followed.delete(transfer.hash))
}

const pollMs = 4_000
const slowestMs = 60_000

async function reportUntilDecided(userId: string, transfer: Transfer): Promise<void> {
  const { hash } = transfer
  const scope = currentScope()
  for (let failures = 0; ; ) {
    // Another person is signed in: the report resumes when this one is back.
    if (scope.isDisposed || storedSession()?.user.id !== userId) return
    const answer = await report(transfer)
    if (isOver(answer, transfer))
      return finish(
        userId,
        transfer,
        answer instanceof AppError ? { kind: 'refused', code: answer.code } : { kind: 'paid' },
      )
    const isHeard = !(answer instanceof AppError) || answer.code === 'payment.unconfirmed'
    useStates.setState({ [hash]: { kind: isHeard ? 'waiting' : 'unreachable' } })
    failures = isHeard ? 0 : failures + 1
    const least = answer instanceof AppError && answer.retryAfter !== undefined ? answer.retryAfter * 1_000 : pollMs
    await pause(Math.max(least, Math.min(slowestMs, pollMs * 2 ** failures)))
  }
}

async function report({ paymentId, hash }: Transfer): Promise<Payment | AppError> {
  try {
    return await api(paymentRoutes.reportTransfer, { params: { id: paymentId }, body: { hash } })
  } catch (error) {
    return error instanceof AppError ? error : new AppError('unknown', { cause: error })
  }
}

const refusals: readonly ErrorCode[] = [
  'payment.token-failed',
  'payment.wrong-account',
  'payment.wrong-network',
  'validation',
]
/** Answers that may only mean that the server's node is behind. */
const lateRefusals: readonly ErrorCode[] = ['payment.expired', 'not-found']
const lateMs = 10 * 60_000

function isOver(answer: Payment | AppError, { expiresAt }: Transfer): boolean {
  if (!(answer instanceof AppError)) return answer.status === 'completed' || answer.status === 'refunded'
  return (
    refusals.includes(answer.code) ||
    (lateRefusals.includes(answer.code) && Date.now() > Date.parse(expiresAt) + lateMs)
  )
}

async function finish(userId: string, transfer: Transfer, state: TransferEnd['state']): Promise<void> {
  useStates.setState({ [transfer.hash]: state })
  for (const listener of listeners) listener({ transfer, state })
  await updateStored(userId, (kept) => kept.filter(({ hash }) => hash !== transfer.hash))
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const recordId = 'token-transfers'

/**
 * Updates the stored transfers in the account's database, which a sign-out keeps. Answers the new list; an empty one
 * where the device cannot store anything.
 */
async function updateStored(userId: string, change: (kept: Transfer[]) => Transfer[]): Promise<Transfer[]> {
  try {
    const device = await openDevice()
    if (device.userId !== userId) return []
    const tx = device.db.transaction('meta', 'readwrite', { durability: 'strict' })
    const kept = readTransfers((await tx.store.get(recordId))?.value)
    const next = change(kept)
    if (next.length === 0) await tx.store.delete(recordId)
    else if (next !== kept) await tx.store.put({ id: recordId, value: JSON.stringify(next) })
    await tx.done
    return next
  } catch {
    // Locked, denied or full: the transfer is followed while the page is open, and by the server from its first report
    // on.
    return []
  }
}

function readTransfers(text: string | undefined): Transfer[] {
  try {
    const parsed = z.safeParse(z.array(Transfer), JSON.parse(text ?? '[]'))
    return parsed.success ? parsed.data : []
  } catch {
    // Another program's value, or a broken one.
    return []
  }
}
