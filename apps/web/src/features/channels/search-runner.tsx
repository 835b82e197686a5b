// What the search of messages needs: it comes when the search is opened.
import type { Channel } from '@parley/contract/channels'
import { memo, useEffect } from 'react'
import { type MessageSearch, useMessageSearch } from '../../data/search/use-message-search'

export { MessageHit } from './message-hit'

type Props = {
  query: string
  channels: readonly Channel[]
  inCloud: readonly Channel[]
  /** Hears each new state of the search; undefined where the query has no word. */
  onFound: (found: Found | undefined) => void
}
export type Found = { search: MessageSearch | undefined }

/** Draws nothing. Its own state alone draws it again, not what hears of it. */
const SearchRunner = memo(function SearchRunner({ query, channels, inCloud, onFound }: Props) {
  const search = useMessageSearch(query, channels, inCloud)
  useEffect(() => onFound({ search }))
  useEffect(() => () => onFound(undefined), [onFound])
  return null
})
export default SearchRunner
