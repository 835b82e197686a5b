import '../../i18n/later-texts'
import { useId, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { BlockGroup } from './block-group'
import { DocumentId } from './document-id'
import { estimatedHeight, useGradual } from './gradual'
import styles from './markdown.module.css'
import { MarkdownDocument } from './markdown-document'

export { readOnce } from './prose-block'

/** So many groups of blocks are in the page at most before the reader asks for more: about 600 kB of text. */
const groupsPerStep = 150

/** A long text that is there at once is read in parts. */
const charactersPerTask = 50_000

/** Further from the end than this (about 30 kB), what is off the screen is left out of layout and painting. */
const nearGroups = 8

/**
 * An answer. While it streams, only its last block is parsed again; the text may only grow (any other text starts
 * afresh).
 */
export default function Markdown({ text, streaming }: { text: string; streaming: boolean }) {
  const { t } = useTranslation()
  const id = useId()
  const [document] = useState(() => new MarkdownDocument())
  const [limit, setLimit] = useState(groupsPerStep)
  const readLength = useGradual(text.length, charactersPerTask)
  const groups = document.read(text.slice(0, readLength))
  const wanted = Math.min(groups.length, limit)
  // A usual message is one group, and there at once.
  const count = useGradual(wanted, 1)
  const last = groups.length - 1
  const isGrowing = streaming || readLength < text.length

  return (
    <DocumentId value={id}>
      <div className={streaming ? `${styles.prose} ${styles.streaming}` : styles.prose}>
        {groups.slice(0, count).map((blocks, index) => (
          <BlockGroup
            key={blocks[0]?.key}
            blocks={blocks}
            isStreaming={isGrowing && index === last}
            isFarFromEnd={index < last - nearGroups}
          />
        ))}
        {count < wanted && (
          <div
            aria-hidden
            style={{
              height: groups.slice(count, wanted).reduce((height, blocks) => height + estimatedHeight(blocks), 0),
            }}
          />
        )}
        {wanted < groups.length && (
          <button type="button" className={styles.more} onClick={() => setLimit(limit + groupsPerStep)}>
            {t('markdown.showMore')}
          </button>
        )}
      </div>
    </DocumentId>
  )
}
