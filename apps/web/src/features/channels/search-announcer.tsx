import type { MessageSearch } from '../../data/search/use-message-search'
import { useTranslation } from '../../i18n/interface-language'
import { VisuallyHidden } from '../../ui/visually-hidden'

/** For screen readers: that the search runs, and the number of hits. */
export function SearchAnnouncer({ search }: { search: MessageSearch | undefined }) {
  const { t } = useTranslation()
  const count = search?.hits.length ?? 0
  return (
    <VisuallyHidden>
      <span role="status">
        {search && (search.isSearching ? t('channels.searching') : t('channels.messagesFound', { count }))}
      </span>
    </VisuallyHidden>
  )
}
