import type { FilePart } from '@parley/contract/parts'
import { type RefObject, useEffect, useRef } from 'react'
import { loadQueuePump, mustWait, useQueue } from '../../data/chat/queue'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'

type Box = {
  text: string
  setText: (text: string) => void
  box: RefObject<HTMLTextAreaElement | null>
}
type Question = { text: string; files: readonly FilePart[] }
type How = { isUrgent: boolean; isRunning: boolean }

/** What a composer does with the questions that wait in its channel. */
export function useQueueOf(channelId: string | undefined, { text, setText, box }: Box) {
  const { t, language } = useTranslation()
  const queue = useQueue(channelId)
  /** The question that was taken out of the queue into the box; what waits behind it waits on until it is released. */
  const edited = useRef<{ mId: string; release: () => void }>(undefined)
  /** One whose text is in the box, and which is not out of the queue yet. */
  const taken = useRef<{ isOver: boolean }>(undefined)
  const isGone = useRef(false)
  const release = (): void => {
    edited.current?.release()
    edited.current = undefined
  }
  const endEdit = (): void => {
    if (taken.current) taken.current.isOver = true
    release()
  }
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      edited.current?.release()
    }
  }, [])

  const run = async (action: (pump: Awaited<ReturnType<typeof loadQueuePump>>) => Promise<unknown>): Promise<void> => {
    try {
      await action(await loadQueuePump())
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('chat.actionFailed'))
    }
    box.current?.focus()
  }

  const edit = (mId: string): void =>
    void run(async ({ takeQueued }) => {
      if (channelId === undefined) return
      const take = { isOver: false }
      const end = await takeQueued(channelId, mId, (queued) => {
        taken.current = take
        // What is in the box is not lost by it.
        const typed = box.current?.value ?? text
        setText(typed.trim() === '' ? queued : `${queued}\n\n${typed}`)
      })
      if (taken.current === take) taken.current = undefined
      if (!end) return
      release()
      // The box may have been emptied, or sent, or left meanwhile: nothing else would ever let the queue go on.
      if (take.isOver || isGone.current) end()
      else edited.current = { mId, release: end }
    })

  /** Adds a question to the queue if it has to wait. Answers false where it may be sent. Throws AppError. */
  const add = async (question: Question, { isUrgent, isRunning }: How): Promise<boolean> => {
    if (channelId === undefined) return false
    const isQueued = isRunning || (isUrgent ? queue.queued.length > 0 : await mustWait(channelId, queue))
    if (!isQueued) return false
    const { enqueue, sendNow } = await loadQueuePump()
    const mId = await enqueue(channelId, { ...question, mId: edited.current?.mId })
    endEdit()
    if (isUrgent) await sendNow(channelId, mId)
    return true
  }

  return {
    first: queue.queued[0],
    edit,
    endEdit,
    add,
    shown: {
      ...queue,
      onEdit: edit,
      onSendNow: (mId: string) => void run(async ({ sendNow }) => channelId && sendNow(channelId, mId)),
      onRemove: (mId: string) => void run(async ({ dropQueued }) => channelId && dropQueued(channelId, mId)),
    },
  }
}
