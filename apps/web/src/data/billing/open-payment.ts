import type { Payment } from '@parley/contract/payments'
import { create } from 'zustand'
import { onSessionChange } from '../session/stored-session'

const useOpen = create<{ payment: Payment | undefined }>(() => ({ payment: undefined }))

/** The Pix payment whose code is shown. The credits tab draws the dialog. */
export function useOpenPix(): Payment | undefined {
  return useOpen(({ payment }) => payment)
}

export function openPixPayment(payment: Payment): void {
  useOpen.setState({ payment })
}

export function closePixPayment(): void {
  useOpen.setState({ payment: undefined })
}

onSessionChange(closePixPayment)
