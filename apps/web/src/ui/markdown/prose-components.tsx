import '../../i18n/later-texts'
import { type ComponentProps, use } from 'react'
import type { Components, ExtraProps } from 'react-markdown'
import { useTranslation } from '../../i18n/interface-language'
import { Citation } from './citation'
import { CodeBlock } from './code-block'
import { Footnote, FootnoteReference } from './footnote'
import { DisplayFormula, InlineFormula } from './formula'
import { Growing } from './growing'
import { hastText } from './hast-text'
import { withMarks } from './hidden-characters'
import { ListStart } from './list-start'
import styles from './markdown.module.css'
import { Picture } from './picture'
import { SafeLink } from './safe-link'
import { TableFrame } from './table-frame'

type Props<Tag extends keyof React.JSX.IntrinsicElements> = ComponentProps<Tag> & ExtraProps

/** How each element of an answer is drawn. Headings are one step down from the page's own title. */
export const proseComponents: Components = {
  h1: ({ children }) => <h2 dir="auto">{children}</h2>,
  h2: ({ children }) => <h3 dir="auto">{children}</h3>,
  h3: ({ children }) => <h4 dir="auto">{children}</h4>,
  h4: ({ children }) => <h5 dir="auto">{children}</h5>,
  h5: ({ children }) => <h6 dir="auto">{children}</h6>,
  h6: ({ children }) => <h6 dir="auto">{children}</h6>,
  p: ({ children }) => <p dir="auto">{children}</p>,
  blockquote: ({ children }) => <blockquote dir="auto">{children}</blockquote>,
  ul: ({ children, className }) => (
    <ul dir="auto" className={className ? styles.tasks : undefined}>
      {children}
    </ul>
  ),
  ol: OrderedList,
  li: ({ children, className }) => <li className={className ? styles.task : undefined}>{children}</li>,
  input: Task,
  a: Link,
  cite: Cite,
  img: ({ src, alt }) => <Picture url={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  table: ({ children }) => <TableFrame>{children}</TableFrame>,
  th: ({ children, style }) => (
    <th dir="auto" scope="col" style={style}>
      {children}
    </th>
  ),
  td: ({ children, style }) => (
    <td dir="auto" style={style}>
      {children}
    </td>
  ),
  pre: Preformatted,
  code: InlineCode,
  div: ({ children, node }) => <Footnote label={String(node?.properties.dataFootnote ?? '')}>{children}</Footnote>,
}

function OrderedList({ children, start, className }: Props<'ol'>) {
  const continued = use(ListStart)
  return (
    // Only the cut list itself goes on counting; lists inside it count for themselves.
    <ListStart value={undefined}>
      <ol dir="auto" start={continued ?? start} className={className ? styles.tasks : undefined}>
        {children}
      </ol>
    </ListStart>
  )
}

function Task({ checked }: Props<'input'>) {
  const { t } = useTranslation()
  return (
    <input
      type="checkbox"
      disabled
      checked={checked === true}
      readOnly
      aria-label={checked ? t('markdown.taskDone') : t('markdown.taskOpen')}
    />
  )
}

function Link({ node, href, children }: Props<'a'>) {
  const footnote = node?.properties.dataFootnote
  if (footnote !== undefined) return <FootnoteReference label={String(footnote)}>{children}</FootnoteReference>
  return (
    <SafeLink address={href ?? ''} words={node ? hastText(node) : ''}>
      {children}
    </SafeLink>
  )
}

function Cite({ node, children }: Props<'cite'>) {
  const numbers = String(node?.properties.dataNumbers ?? '')
    .split(',')
    .map(Number)
  return (
    <Citation space={String(node?.properties.dataSpace ?? '')} numbers={numbers}>
      {children}
    </Citation>
  )
}

function Preformatted({ node, children }: Props<'pre'>) {
  const isGrowing = use(Growing)
  const code = node?.children[0]
  if (code?.type !== 'element') return <pre>{children}</pre>
  const text = hastText(code)
  const classes = code.properties.className
  const names = Array.isArray(classes) ? classes.map(String) : []
  if (names.includes('math-display')) return <DisplayFormula tex={text} source={text} isComplete />
  const language = names.find((name) => name.startsWith('language-'))?.slice('language-'.length) ?? ''
  return <CodeBlock code={text} language={language} isComplete={!isGrowing} />
}

function InlineCode({ className, node, children }: Props<'code'>) {
  if (className?.includes('math-inline') && node) return <InlineFormula tex={hastText(node)} />
  return <code dir="ltr">{typeof children === 'string' ? withMarks(children) : children}</code>
}
