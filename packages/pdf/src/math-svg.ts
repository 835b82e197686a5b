/**
 * Draws display formulas; the drawing library is loaded with the first one. Undefined where a formula is broken or too
 * long: then its source is shown.
 */
export type DrawFormula = (tex: string) => string | undefined

const maxLength = 10_000

export async function loadMath(): Promise<DrawFormula> {
  const [{ mathjax }, { TeX }, { SVG }, { liteAdaptor }, { RegisterHTMLHandler }] = await Promise.all([
    import('mathjax-full/js/mathjax.js'),
    import('mathjax-full/js/input/tex.js'),
    import('mathjax-full/js/output/svg.js'),
    import('mathjax-full/js/adaptors/liteAdaptor.js'),
    import('mathjax-full/js/handlers/html.js'),
    import('mathjax-full/js/input/tex/ams/AmsConfiguration.js'),
  ])
  const adaptor = liteAdaptor()
  RegisterHTMLHandler(adaptor)
  const document = mathjax.document('', {
    InputJax: new TeX({ packages: ['base', 'ams'], maxMacros: 1000, maxBuffer: maxLength }),
    OutputJax: new SVG({ fontCache: 'none' }),
  })
  return (tex) => {
    if (tex.length > maxLength) return undefined
    try {
      const svg = adaptor.innerHTML(document.convert(tex, { display: true }))
      return /data-mjx-error|merror/.test(svg) ? undefined : inPoints(svg)
    } catch {
      return undefined
    }
  }
}

/** Its sizes are in ex; a PDF wants points (an ex is about half of 11 points), and has no text colour to inherit. */
function inPoints(svg: string): string {
  return svg
    .replace(
      /(width|height)="([\d.]+)ex"/g,
      (_all, side: string, ex: string) => `${side}="${(Number(ex) * 5.2).toFixed(2)}"`,
    )
    .replaceAll('currentColor', '#1b1d19')
}
