import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type DrawFormula, maxFormulaLength } from './draw-formula'
import { loadFormulas, readyFormulas } from './formulas'
import styles from './markdown.module.css'

/** A formula in a sentence; its source while KaTeX is loading, and when it cannot be drawn. */
export const InlineFormula = memo(function InlineFormula({ tex }: { tex: string }) {
  const { ref, isDrawn } = useFormula<HTMLSpanElement>(tex, false, true)
  return (
    <>
      <span ref={ref} dir="ltr" hidden={!isDrawn} />
      {!isDrawn && <code dir="ltr">{tex}</code>}
    </>
  )
})

/** A formula on a line of its own. */
export const DisplayFormula = memo(function DisplayFormula({
  tex,
  source,
  isComplete,
}: {
  tex: string
  source: string
  isComplete: boolean
}) {
  const { ref, isDrawn } = useFormula<HTMLDivElement>(tex, true, isComplete)
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a formula is no set of fields */}
      <div ref={ref} dir="ltr" className={styles.formula} role="group" tabIndex={isDrawn ? 0 : -1} hidden={!isDrawn} />
      {!isDrawn && <pre className={styles.source}>{source.slice(0, 4 * maxFormulaLength)}</pre>}
    </>
  )
})

function useFormula<T extends HTMLElement>(tex: string, isDisplay: boolean, isComplete: boolean) {
  const ref = useRef<T>(null)
  const draw = useDraw(isComplete)
  const [drawnTex, setDrawnTex] = useState<string>()
  useLayoutEffect(() => {
    if (ref.current && draw?.(tex, ref.current, isDisplay)) setDrawnTex(tex)
  }, [draw, tex, isDisplay])
  return { ref, isDrawn: drawnTex === tex }
}

/** KaTeX, its style sheet and its fonts come with the first formula. */
function useDraw(isWanted: boolean): DrawFormula | undefined {
  const [draw, setDraw] = useState(readyFormulas)
  useEffect(() => {
    if (!isWanted || draw) return
    let isCurrent = true
    // Without it (offline, say) the source stays until it comes.
    void loadFormulas().then((loaded) => isCurrent && setDraw(() => loaded))
    return () => {
      isCurrent = false
    }
  }, [isWanted, draw])
  return isWanted ? draw : undefined
}
