import type { Message } from '@parley/contract/chat'
import type { Source } from '@parley/contract/sources'
import { type ComponentType, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { filesOf, freshSources } from '../../data/channels/fresh-sources'
import type { QueuedQuestion } from '../../data/channels/queued-questions'
import { useSources } from '../../data/channels/use-sources'
import { useIsAddingSources } from '../../lib/adding-sources'

/** Why a question is not sent yet: its sources are being read, or one of them could not be read. */
type SourceWait = 'reading' | 'failed'

/** `fresh`: those that no question was asked with yet. */
type BarProps = { channelId: string; fresh: readonly Source[] }
type WaitProps = BarProps & { wait: SourceWait; onSendWithout: () => void; onCancel: () => void }

/** What a composer has of sources: the paperclip, what stands above the text, and why it is not sent yet. */
export type SourceParts = {
  Attach: ComponentType<{ channelId: string }>
  Bar: ComponentType<BarProps>
  Wait: ComponentType<WaitProps>
}

type Asked = {
  said: readonly Message[]
  queued: readonly QueuedQuestion[]
  send: () => void
  /** False: nobody looks at them yet. */
  isEnabled: boolean
}

const isUnread = ({ status }: Source): boolean => status === 'queued' || status === 'processing'

/**
 * A question waits until the sources of its chat are read: what is answered before is answered from nothing. `send`: is
 * called when they are. Where one of those could not be read, the person decides. A page that is left meanwhile finds
 * the question in its draft, and the sources in their chat.
 */
export function useSourceWait(draftId: string, { said, queued, send, isEnabled }: Asked) {
  const { sources, isFirstTry } = useSources(draftId, { isEnabled })
  const isAdding = useIsAddingSources(draftId)
  const fresh = useMemo(() => freshSources(sources, said, queued), [sources, said, queued])
  const [waiting, setWaiting] = useState<{ draftId: string; wait: SourceWait }>()
  const wait = waiting?.draftId === draftId ? waiting.wait : undefined
  const isReading = isAdding || isFirstTry || sources.some(isUnread)
  const hasFailure = fresh.some(({ status }) => status === 'failed')
  const goOn = useEffectEvent(() => {
    setWaiting(hasFailure ? { draftId, wait: 'failed' } : undefined)
    if (!hasFailure) send()
  })
  useEffect(() => {
    if (wait === 'reading' && !isReading) goOn()
  }, [wait, isReading])
  const onRead = useEffectEvent(() => {
    // What could not be read was removed, or is read again.
    if (!hasFailure) setWaiting(isReading ? { draftId, wait: 'reading' } : undefined)
  })
  useEffect(() => {
    if (wait === 'failed' && !hasFailure) onRead()
  }, [wait, hasFailure])
  return {
    wait,
    fresh,
    hasFiles: fresh.some(({ status }) => status !== 'failed'),
    /** What the question is asked with. */
    files: filesOf(fresh),
    /** Whether it has to wait, which it then does. */
    mustWait: (): boolean => {
      if (isReading) setWaiting({ draftId, wait: 'reading' })
      return isReading
    },
    end: (): void => setWaiting(undefined),
  }
}
