// Messages that this page is sending, on the pages of a cloud channel, which the server answers without them.
import type { Message } from '@parley/contract/chat'
import { timeOfUuid } from '@parley/contract/uuid'

/** Whether a message ends the path where it stands: a new version, which what followed the others does not follow. */
export function endsPath({ mId, run, afterRunId }: Message): boolean {
  const isNewRun = run !== undefined && run.messageId !== mId
  return isNewRun ? run.question === undefined : afterRunId !== undefined
}

/** A page with a message that is being sent: what stood in its place and after it is not on the path any more. */
export function overlaid(page: readonly Message[], message: Message, isNewest: boolean): Message[] {
  const { versions: _before, ...asked } = message
  const at = page.findIndex(({ mId }) => mId === message.mId)
  const stored = page[at]
  if (stored) {
    const isStored = stored.run?.messageId === message.run?.messageId
    const isAnew = message.run?.base === 0 && !isStored
    const versions = isAnew ? besideAnswer(stored, message) : stored.versions
    return [...page.slice(0, at), { ...asked, ...(versions && { versions }) }, ...(isAnew ? [] : page.slice(at + 1))]
  }
  const end = endOfPath(page, message)
  if (!isNewest) return page.slice(0, end)
  const sibling = page[end]
  const isBeside = sibling !== undefined && sibling.afterRunId === message.afterRunId
  const questions = isBeside ? [...(sibling.versions?.questions ?? [sibling.mId]), message.mId] : undefined
  return [...page.slice(0, end), { ...asked, ...(questions && { versions: { questions } }) }]
}

/** The versions of a message while another answer to it is written; one that says nothing gives way to it. */
function besideAnswer(stored: Message, { run, mId }: Message): Message['versions'] {
  const { answers: _answers, answer: _answer, ...others } = stored.versions ?? {}
  const isNothing = stored.empty === true || stored.chat_response.content.trim() === ''
  const before = (stored.versions?.answers ?? [shownRunOf(stored)]).filter(
    (id) => !isNothing || id !== shownRunOf(stored),
  )
  const own = run?.messageId ?? mId
  if (before.length > 0) return { ...others, answers: [...before, own], answer: own }
  return others.questions ? others : undefined
}

/** Where a page ends before a new question: after the run that it follows. */
function endOfPath(page: readonly Message[], { afterRunId }: Message): number {
  if (afterRunId === undefined) return page.length
  if (afterRunId === null) return 0
  const parent = page.findIndex((message) => shownRunOf(message) === afterRunId)
  if (parent >= 0) return parent + 1
  // The run is not in this page, which is of before it or of after it.
  const time = timeOfUuid(afterRunId)?.toISOString()
  const later = time === undefined ? -1 : page.findIndex(({ datetime }) => datetime > time)
  return later < 0 ? page.length : later
}

/** The run that a message shows: a continued answer is as its last run. */
export const shownRunOf = ({ run, mId, versions }: Message): string => versions?.answer ?? run?.messageId ?? mId
