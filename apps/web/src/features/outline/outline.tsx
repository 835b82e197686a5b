import '../../i18n/later-texts'
import type { OutlineEntry } from '@parley/contract/branches'
import { isOnBranch } from '@parley/contract/main-line'
import { CornerUpLeft } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { TextInput } from '../../ui/field'
import styles from './outline.module.css'
import { OutlineList } from './outline-list'
import { type Folds, foundRows, outlineRows } from './outline-rows'
import { outlineTreeOf } from './outline-tree'
import { useOutlineActions } from './use-outline-actions'

/** In a chat with more questions than this one looks for a question by its words. */
const filterFrom = 20

/** The questions of a chat, as a tree where there are branches. */
export function Outline({ channelId, entries }: { channelId: string; entries: readonly OutlineEntry[] }) {
  const { t } = useTranslation()
  const [words, setWords] = useState('')
  const [folds, setFolds] = useState<Folds>(new Map())
  const list = useRef<HTMLDivElement>(null)
  const tree = useMemo(() => outlineTreeOf(entries), [entries])
  const isFiltered = words.trim() !== ''
  const rows = useMemo(
    () => (isFiltered ? foundRows(tree, words) : outlineRows(tree, folds)),
    [tree, folds, words, isFiltered],
  )
  const actions = useOutlineActions(channelId, tree, () => list.current?.focus())
  const versions = useMemo(
    () => entries.filter(({ mId, isShown }) => isShown && tree.following(tree.parentOf(mId)).length > 1).length,
    [entries, tree],
  )
  const questions = t('outline.questions', { count: entries.length })

  return (
    <>
      <p className={styles.summary} role="status">
        {isFiltered
          ? t('outline.found', { count: rows.length })
          : versions === 0
            ? questions
            : t('outline.summary', { questions, versions: t('outline.withVersions', { count: versions }) })}
      </p>
      {entries.length > filterFrom && (
        <div className={styles.filter}>
          <TextInput
            type="search"
            // The browser would store it for autocompletion, in plain text.
            autoComplete="off"
            spellCheck={false}
            aria-label={t('outline.filter')}
            placeholder={t('outline.filter')}
            value={words}
            onChange={(event) => setWords(event.target.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return
              if (event.key === 'Escape' && words !== '') {
                // The panel stays open.
                event.preventDefault()
                setWords('')
              } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
                event.preventDefault()
                list.current?.focus()
              }
            }}
          />
        </div>
      )}
      {rows.length === 0 ? (
        <p className={styles.nothing}>{t('outline.nothingFound')}</p>
      ) : (
        <OutlineList
          key={isFiltered ? 'found' : 'tree'}
          tree={list}
          rows={rows}
          actions={actions}
          onFold={(row, isOpen) => setFolds((before) => new Map([...before, [row.id, isOpen]]))}
        />
      )}
      {isOnBranch(entries) && (
        <div className={styles.foot}>
          <Button size="small" icon={CornerUpLeft} wide onClick={actions.toMainLine}>
            {t('outline.mainLine')}
          </Button>
        </div>
      )}
    </>
  )
}
