import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { type LiveAnswer, watchAnswer } from '../../data/chat/live-chat'
import { useTranslation } from '../../i18n/interface-language'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { useSpeakerName } from './speaker'

/** Announces a streamed answer sentence by sentence to screen readers: word by word nobody could follow. */
export function AnswerAnnouncer({ mId, agentId }: { mId: string | undefined; agentId: string | null }) {
  const { t } = useTranslation()
  const agent = useSpeakerName(agentId)
  const [spoken, setSpoken] = useState('')
  const read = useRef({ messageId: '', length: 0 })

  const announce = useEffectEvent((live: LiveAnswer | undefined): void => {
    if (!live) {
      if (read.current.messageId !== '') setSpoken(t('chat.announceDone'))
      read.current = { messageId: '', length: 0 }
      return
    }
    if (read.current.messageId !== live.messageId) {
      read.current = { messageId: live.messageId, length: live.content.length }
      setSpoken(t('chat.announceWriting', { agent }))
      return
    }
    const sentences = endOfSentences(live.content, read.current.length)
    if (sentences === read.current.length) return
    setSpoken(live.content.slice(read.current.length, sentences))
    read.current.length = sentences
  })
  // Not as state: the growing text would render this anew with each of its paints.
  useEffect(() => {
    if (mId === undefined) announce(undefined)
    else return watchAnswer(mId, (live) => announce(live))
  }, [mId])

  return (
    <VisuallyHidden>
      <span aria-live="polite">{spoken}</span>
    </VisuallyHidden>
  )
}

/** The end of the last complete sentence after `from`; `from` when there is none. */
export function endOfSentences(text: string, from: number): number {
  const ends = [...text.slice(from).matchAll(/[.!?…:]["')\]]*\s|\n/g)]
  const last = ends.at(-1)
  return last ? from + last.index + last[0].length : from
}
