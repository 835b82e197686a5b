export const maxFormulaLength = 10_000

/** Draws a formula into an element and says whether it could. */
export type DrawFormula = (tex: string, element: HTMLElement, isDisplay: boolean) => boolean
