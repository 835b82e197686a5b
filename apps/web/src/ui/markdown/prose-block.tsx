import { memo } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remend from 'remend'
import { Growing } from './growing'
import { ListStart } from './list-start'
import styles from './markdown.module.css'
import { isTooTangled, rehypePlugins, remarkPlugins, safeUrl } from './pipeline'
import { prepareMarkdown } from './prepare-markdown'
import { proseComponents } from './prose-components'

type ProseBlockProps = {
  text: string
  definitions: string | undefined
  listStart: number | undefined
  isContinuation: boolean
  isStreaming: boolean
}

/** One block of Markdown without its own component: paragraph, heading, list, quote. Same properties, no work. */
export const ProseBlock = memo(function ProseBlock({
  text,
  definitions,
  listStart,
  isContinuation,
  isStreaming,
}: ProseBlockProps) {
  if (isTooTangled(text)) return <p className={styles.plain}>{text}</p>
  const content = (
    <MarkdownSource
      text={isStreaming ? completed(text) : text}
      definitions={definitions}
      components={proseComponents}
    />
  )
  const numbered = listStart === undefined ? content : <ListStart value={listStart}>{content}</ListStart>
  const placed = <Growing value={isStreaming}>{numbered}</Growing>
  return isContinuation ? <div className={styles.continuation}>{placed}</div> : placed
})

/** Parses and draws a source: sanitised first, then turned into React elements; nothing is ever written as HTML. */
export function MarkdownSource({
  text,
  definitions,
  components,
}: {
  text: string
  definitions: string | undefined
  components: Components
}) {
  const source = prepareMarkdown(text)
  return (
    <ReactMarkdown {...pipeline} components={components}>
      {definitions ? `${definitions}\n\n${source}` : source}
    </ReactMarkdown>
  )
}

const pipeline = { remarkPlugins, rehypePlugins, urlTransform: safeUrl }

/** Reads a text, so that the browser has compiled what does it before the first word of an answer waits for that. */
export function readOnce(): void {
  ReactMarkdown({
    ...pipeline,
    components: proseComponents,
    children: completed(prepareMarkdown('A *word* or `two`.')),
  })
}

/** Closes what is still open in the block that is being written, so that "**bo" is bold from its first letter on. */
const completed = (text: string): string =>
  remend(text, { linkMode: 'text-only', katex: false, inlineKatex: false, htmlTags: false })
