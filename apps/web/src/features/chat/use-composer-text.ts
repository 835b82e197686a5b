import { useCallback, useEffect, useRef, useState } from 'react'
import { readDraft, writeDraft } from '../../data/channels/drafts'
import { onNotice } from '../../data/chat/chat-notices'

/** The text of a composer, kept as the channel's draft. What is typed before the draft has been read wins over it; a question may be given back to it. */
export function useComposerText(draftId: string): [string, (text: string) => void] {
  const [text, setText] = useState('')
  const isTouched = useRef(false)

  useEffect(() => {
    let isGone = false
    isTouched.current = false
    readDraft(draftId).then(
      (draft) => !isGone && !isTouched.current && setText(draft),
      // Without storage there are no drafts; sending says what is wrong.
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
  useEffect(() => onNotice((notice) => notice.kind === 'no-credits' && notice.channelId === draftId && change(notice.question)), [draftId, change])
  return [text, change]
}
