import { useEffect, useRef, useState } from 'react'
import type { LiveAnswer } from '../../data/chat/live-chat'
import { useTranslation } from '../../i18n/interface-language'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { useSpeakerName } from './speaker'

/** Announces a streamed answer sentence by sentence to screen readers: word by word nobody could follow. */
export function AnswerAnnouncer({ live, agentId }: { live: LiveAnswer | undefined; agentId: string | null }) {
  const { t } = useTranslation()
  const agent = useSpeakerName(agentId)
  const [spoken, setSpoken] = useState('')
  const read = useRef({ messageId: '', length: 0 })

  useEffect(() => {
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
  }, [live, t, agent])

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
