import { memo, type ReactNode } from 'react'
import { BlockBoundary } from './block-boundary'
import type { Block } from './blocks'
import { CodeBlock } from './code-block'
import { DisplayFormula } from './formula'
import { estimatedHeight } from './gradual'
import styles from './markdown.module.css'
import type { BlockGroup as Blocks } from './markdown-document'
import { Picture } from './picture'
import { ProseBlock } from './prose-block'
import { TableBlock } from './table-block'

/** Compared by the identity of its array: a finished group costs nothing when the answer grows. */
export const BlockGroup = memo(function BlockGroup({
  blocks,
  isStreaming,
  isFarFromEnd,
}: {
  blocks: Blocks
  isStreaming: boolean
  isFarFromEnd: boolean
}) {
  const last = blocks.length - 1
  const skipped = isFarFromEnd ? { containIntrinsicBlockSize: `auto ${estimatedHeight(blocks)}px` } : undefined
  return (
    <div className={isFarFromEnd ? `${styles.group} ${styles.skippable}` : styles.group} style={skipped}>
      {blocks.map((block, index) => (
        <BlockBoundary key={block.key} block={block}>
          {drawn(block, isStreaming && index === last)}
        </BlockBoundary>
      ))}
    </div>
  )
})

function drawn(block: Block, isStreaming: boolean): ReactNode {
  switch (block.kind) {
    case 'prose':
      return (
        <ProseBlock
          text={block.text}
          definitions={block.definitions}
          listStart={block.listStart}
          isContinuation={block.isContinuation}
          isStreaming={isStreaming}
        />
      )
    case 'code':
      return <CodeBlock code={block.code} language={block.language} isComplete={!isStreaming || block.isClosed} />
    case 'math':
      return <DisplayFormula tex={block.tex} source={block.source} isComplete={block.isClosed} />
    case 'table':
      return (
        <TableBlock
          head={block.head}
          segments={block.segments}
          rowCount={block.rowCount}
          definitions={block.definitions}
        />
      )
    case 'picture':
      return (
        <p>
          <Picture url={block.url} alt={block.alt} />
        </p>
      )
  }
}
