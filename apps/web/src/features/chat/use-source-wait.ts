import type { Message } from '@parley/contract/chat'
import type { FilePart } from '@parley/contract/parts'
import type { Source } from '@parley/contract/sources'
import { type ComponentType, useEffect, useEffectEvent, useState } from 'react'
import { useSourceGate } from '../../lib/source-gate'

/** What a composer has of sources: the paperclip, and what stands above the text. */
export type SourceParts = {
  Attach: ComponentType<{ channelId: string }>
  Bar: ComponentType<{ channelId: string; said: readonly Message[]; isWaiting: boolean; onSendWithout: () => void }>
}

/**
 * A question waits until the sources of its chat are read: what is answered before is answered from nothing. `send`: is
 * called when they are. Where one could not be read, the person decides.
 */
export function useSourceWait(draftId: string, send: () => void) {
  const gate = useSourceGate(draftId)
  const [waitingIn, setWaitingIn] = useState<string>()
  const isWaiting = waitingIn === draftId
  const fresh = gate?.fresh.filter(({ status }) => status !== 'failed') ?? []
  const isReading = gate?.isReading ?? false
  const hasFailure = gate?.fresh.some(({ status }) => status === 'failed') ?? false
  const goOn = useEffectEvent(() => {
    setWaitingIn(undefined)
    if (!hasFailure) send()
  })
  useEffect(() => {
    if (isWaiting && !isReading) goOn()
  }, [isWaiting, isReading])
  return {
    isWaiting,
    hasFiles: fresh.length > 0,
    /** What the question is asked with. */
    files: fresh.filter(({ status }) => status === 'processed').map(filePartOf),
    /** Whether it has to wait, which it then does. */
    mustWait: (): boolean => {
      if (isReading) setWaitingIn(draftId)
      return isReading
    },
    end: (): void => setWaitingIn(undefined),
  }
}

const filePartOf = ({ id, name, mediaType, bytes, pages, url }: Source): FilePart => ({
  ...{ type: 'file', fileId: id, name, mediaType, bytes },
  reading: mediaType.startsWith('image/') ? 'picture' : 'whole',
  ...(pages === undefined ? {} : { pages }),
  ...(url === undefined ? {} : { url }),
})
