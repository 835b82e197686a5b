import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits/shared'
import { Search, X } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { IconButton } from '../../ui/button'
import { Kbd } from '../../ui/kbd'
import styles from './marketplace.module.css'

/** The search field of a page of agents; the key `/` focuses it. */
export function SearchField({
  label,
  placeholder = label,
  typed,
  onType,
}: {
  label: string
  placeholder?: string
  typed: string
  onType: (typed: string) => void
}) {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  const clear = () => {
    onType('')
    field.current?.focus()
  }
  return (
    <search className={styles.search}>
      <Search aria-hidden="true" />
      <input
        ref={field}
        type="search"
        data-page-search=""
        aria-label={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.agents.maxSearch}
        value={typed}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onType('')}
      />
      {typed === '' ? (
        <span className={styles.key} aria-hidden="true">
          <Kbd>/</Kbd>
        </span>
      ) : (
        <IconButton size="small" icon={X} label={t('agents.clearSearch')} onClick={clear} />
      )}
    </search>
  )
}
