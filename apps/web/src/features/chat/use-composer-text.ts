import { useCallback, useEffect, useRef, useState } from 'react'
import { readDraft, writeDraft } from '../../data/channels/drafts'
import { onNotice } from '../../data/chat/chat-notices'

/**
 * The text of a composer, stored as the channel's draft. Text typed before the draft is read wins over it; a refused
 * question may be returned to it.
 */
export function useComposerText(draftId: string): [string, (text: string) => void] {
  const [text, setText] = useState('')
  const isTouched = useRef(false)
  const [shownId, setShownId] = useState(draftId)
  // At once: what was typed for one chat must not become the draft of another.
  if (shownId !== draftId) {
    setShownId(draftId)
    setText('')
  }

  useEffect(() => {
    let isGone = false
    isTouched.current = false
    readDraft(draftId).then(
      (draft) => !isGone && !isTouched.current && setText(draft),
      // Without storage there are no drafts; sending reports the problem.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [draftId])

  const change = useCallback(
    (next: string): void => {
      isTouched.current = true
      setText(next)
      writeDraft(draftId, next)
    },
    [draftId],
  )
  useEffect(
    () => onNotice((notice) => notice.kind === 'no-credits' && notice.channelId === draftId && change(notice.question)),
    [draftId, change],
  )
  return [text, change]
}
