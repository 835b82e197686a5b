import { loadPart } from '../lazy-part'
import type { DrawFormula } from './draw-formula'

let loading: Promise<DrawFormula> | undefined
let ready: DrawFormula | undefined

/** As soon as KaTeX can be had, for all formulas that wait for it; never rejects. */
export function loadFormulas(): Promise<DrawFormula> {
  loading ??= load()
  return loading
}

async function load(): Promise<DrawFormula> {
  const { drawFormula } = await loadPart(() => import('./katex'))
  ready = drawFormula
  return drawFormula
}

export const readyFormulas = (): DrawFormula | undefined => ready
