// The chunk of the message search, loaded when the search is opened.
import type { Channel } from '@parley/contract/channels'
import { memo, useEffect } from 'react'
import { type MessageSearch, useMessageSearch } from '../../data/search/use-message-search'

export { MessageHit } from './message-hit'

type Props = {
  query: string
  channels: readonly Channel[]
  inCloud: readonly Channel[]
  /** Called with each new state of the search; undefined where the query has no word. */
  onFound: (found: SearchState | undefined) => void
}
export type SearchState = { search: MessageSearch | undefined }

/** Runs the search and renders nothing: only its own state re-renders it, not its listener's. */
const SearchRunner = memo(function SearchRunner({ query, channels, inCloud, onFound }: Props) {
  const search = useMessageSearch(query, channels, inCloud)
  useEffect(() => onFound({ search }))
  useEffect(() => () => onFound(undefined), [onFound])
  return null
})
export default SearchRunner
