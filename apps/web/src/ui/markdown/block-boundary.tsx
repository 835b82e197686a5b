import { Component, type ReactNode } from 'react'
import type { Block } from './blocks'
import styles from './markdown.module.css'

/**
 * A block that cannot be drawn is shown as its source; the rest of the answer stays. It is tried again when it has
 * changed.
 */
export class BlockBoundary extends Component<
  { block: Block; children: ReactNode },
  { hasFailed: boolean; block: Block }
> {
  override state = { hasFailed: false, block: this.props.block }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ block }: { block: Block }, state: { block: Block }) {
    return block === state.block ? null : { hasFailed: false, block }
  }

  override render() {
    return this.state.hasFailed ? (
      <pre className={styles.source}>{sourceOf(this.props.block)}</pre>
    ) : (
      this.props.children
    )
  }
}

function sourceOf(block: Block): string {
  switch (block.kind) {
    case 'prose':
      return block.text
    case 'code':
      return block.code
    case 'math':
      return block.source
    case 'table':
      return [block.head, ...block.segments.slice(0, 10)].join('\n')
    case 'picture':
      return block.alt
  }
}
