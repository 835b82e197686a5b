import type { DrawFormula } from './draw-formula'

let ready: DrawFormula | undefined

export async function loadFormulas(): Promise<DrawFormula> {
  ready ??= (await import('./katex')).drawFormula
  return ready
}

export const readyFormulas = (): DrawFormula | undefined => ready
