import { isOver, type Message } from '@parley/contract/chat'
import { useEffect } from 'react'
import { hasCredits } from '../credits/shortage-state'
import { useUser } from '../session/stored-session'
import { type SummaryLine, useSummaryState } from './summary-state'
import type { NextQuestion } from './use-context-plan'
import { writeSummary } from './write-summary'

/**
 * Shows in a chat what goes along in place of its messages, and what is left out. After a question of this tab it asks
 * for a summary that is due, once: again only after the next question, and not after a failure.
 */
export function useSummaryLines(channelId: string, next: NextQuestion | undefined, loaded: readonly Message[]): void {
  const isSignedIn = useUser() !== undefined
  const run = useSummaryState(({ runs }) => runs[channelId])
  const askedMId = useSummaryState(({ asked }) => asked[channelId])
  // The question may be on its way to what is loaded: before it is there, all that is loaded is answered.
  const isAsked = loaded.some(({ mId }) => mId === askedMId)
  const isIdle = loaded.every(isOver)
  const { due, summary, undone, plan } = next ?? {}
  const unsent = plan?.unsent ?? 0
  const place = run?.mId ?? due?.mId

  useEffect(() => {
    const lines: Record<string, SummaryLine> = {}
    if (undone && unsent > 0) lines[undone.exchangeId] = { kind: 'undone', summary: undone, unsent }
    if (summary) lines[summary.exchangeId] = { kind: 'summary', summary }
    if (place !== undefined) lines[place] = { kind: run?.phase ?? 'due', unsent }
    show(channelId, lines)
  }, [channelId, undone, summary, place, run?.phase, unsent])
  useEffect(() => () => show(channelId, {}), [channelId])

  const [dueMId, dueRunId] = [due?.mId, due?.runId]
  useEffect(() => {
    if (!isSignedIn || !isAsked || !isIdle || run || dueMId === undefined || dueRunId === undefined) return
    void hasCredits().then((pays) => {
      if (pays) void writeSummary(channelId, { mId: dueMId, runId: dueRunId })
    })
  }, [channelId, isSignedIn, isAsked, isIdle, run, dueMId, dueRunId])
}

function show(channelId: string, lines: Readonly<Record<string, SummaryLine>>): void {
  useSummaryState.setState((state) => ({ lines: { ...state.lines, [channelId]: lines } }))
}
