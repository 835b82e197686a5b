import { AppError } from '@parley/contract/errors'
import type { ReactNode } from 'react'
import { useChannels } from '../../data/channels/use-channels'
import { LastResortScreen } from '../last-resort-screen'

/** Without storage on this device there is no place for a chat: said at once instead of after the first question. */
export function InitializationGuard({ children }: { children: ReactNode }) {
  const { error, hasList } = useChannels()
  return !hasList && error instanceof AppError && error.code === 'storage.unavailable' ? (
    <LastResortScreen error={error} atStart />
  ) : (
    children
  )
}
