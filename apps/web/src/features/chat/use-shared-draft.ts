import { shareTarget } from '@parley/contract/pages'
import { useEffect, useState } from 'react'

const isExpected = (): boolean => location.pathname + location.search.replace(/=$/, '') === shareTarget.opens

/** The content that another app shared, as the text of a new chat. */
export function useSharedDraft(): { text: string } | undefined {
  const [draft, setDraft] = useState<{ text: string }>()
  useEffect(() => {
    if (!isExpected()) return
    // At once: after a reload there is nothing to take.
    history.replaceState(history.state, '', location.pathname)
    void import('./receive-shared').then(async ({ receiveShared }) => setDraft(await receiveShared()))
  }, [])
  return draft
}
