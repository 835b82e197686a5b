import { shareTarget } from '@parley/contract/pages'
import { useEffect, useState } from 'react'

const isExpected = (): boolean => location.pathname + location.search.replace(/=$/, '') === shareTarget.opens

/** What another app has shared, as the text that a new chat begins with. */
export function useSharedDraft(): { text: string } | undefined {
  const [draft, setDraft] = useState<{ text: string }>()
  useEffect(() => {
    if (!isExpected()) return
    // At once: a page that is loaded anew has nothing to take.
    history.replaceState(history.state, '', location.pathname)
    void import('./receive-shared').then(async ({ receiveShared }) => setDraft(await receiveShared()))
  }, [])
  return draft
}
