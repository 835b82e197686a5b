import '../../i18n/later-texts'
import { WrapText } from 'lucide-react'
import { memo, useEffect, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { CodeSegment } from './code-segment'
import { CodeSegments, segmentLines } from './code-segments'
import tools from './code-tools.module.css'
import { CopyButton } from './copy-button'
import { HighlightSession } from './highlight-session'
import styles from './markdown.module.css'

/** Longer code is in the page only where the reader is. */
const windowedLines = 500
/** Longer code is shown to here until the reader asks for all. */
const maxLines = 5_000

/** Code with its language, copy and wrap. Growing code adds lines to what is there; the colours come from a worker. */
export const CodeBlock = memo(function CodeBlock({
  code,
  language,
  isComplete,
}: {
  code: string
  language: string
  isComplete: boolean
}) {
  const { t } = useTranslation()
  const [lines] = useState(() => new CodeSegments())
  const [isWrapped, setWrapped] = useState(false)
  const [isWhole, setWhole] = useState(false)
  const session = useHighlight(code, language, isComplete)
  const { segments, lineCount } = lines.read(code)
  const shown = isWhole ? segments : segments.slice(0, maxLines / segmentLines)
  const isWindowed = lineCount > windowedLines

  return (
    <div className={styles.code} dir="ltr">
      <div className={tools.codeHeader}>
        <span>{language || t('markdown.code')}</span>
        <span className={tools.codeTools}>
          <button type="button" className={tools.tool} aria-pressed={isWrapped} onClick={() => setWrapped(!isWrapped)}>
            <WrapText aria-hidden size={13} />
            <span>{t('markdown.wrapLines')}</span>
          </button>
          <CopyButton text={code} />
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: code is no set of fields */}
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        role="group"
        aria-label={language ? t('markdown.codeIn', { language }) : t('markdown.code')}
        className={isWrapped ? styles.wrapped : undefined}
      >
        <code>
          {shown.map((text, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a segment's place is its identity
            <CodeSegment key={index} text={text} index={index} session={session} isWindowed={isWindowed} />
          ))}
        </code>
      </pre>
      {shown.length < segments.length && (
        <button type="button" className={styles.more} onClick={() => setWhole(true)}>
          {t('markdown.allLines', { lines: lineCount })}
        </button>
      )}
    </div>
  )
})

function useHighlight(code: string, language: string, isComplete: boolean): HighlightSession | undefined {
  const [session, setSession] = useState<HighlightSession>()
  useEffect(() => {
    const opened = HighlightSession.open(language)
    setSession(opened)
    return () => opened?.close()
  }, [language])
  useEffect(() => session?.feed(code, isComplete), [session, code, isComplete])
  return session
}
