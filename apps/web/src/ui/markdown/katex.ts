import katex from 'katex'
import 'katex/dist/katex.min.css'
import { type DrawFormula, maxFormulaLength } from './draw-formula'

/** KaTeX builds elements, not HTML text, so the page's trusted types policy lets it through. */
export const drawFormula: DrawFormula = (tex, element, isDisplay) => {
  if (tex.length > maxFormulaLength) return false
  try {
    katex.render(tex, element, {
      displayMode: isDisplay,
      throwOnError: true,
      trust: false,
      maxExpand: 1_000,
      maxSize: 50,
      strict: 'ignore',
    })
    return true
  } catch {
    // A mistake in the formula, or one too deep for the stack: its source is shown.
    element.replaceChildren()
    return false
  }
}
