import type { Payment } from '@parley/contract/payments'
import { create } from 'zustand'
import { resetWithScope } from '../scope/scope'

const useOpen = resetWithScope(create<{ payment: Payment | undefined }>(() => ({ payment: undefined })))

/** The Pix payment whose dialog is open. The credits tab draws it. */
export function useOpenPix(): Payment | undefined {
  return useOpen(({ payment }) => payment)
}

export function openPixPayment(payment: Payment): void {
  useOpen.setState({ payment })
}

export function closePixPayment(): void {
  useOpen.setState({ payment: undefined })
}
