const pseudoClasses = { hover: ':hover', focus: ':focus-visible', active: ':active' }

/**
 * Repeats every rule for a state as a rule for what stands inside of `data-show`, so that a page can show it standing
 * still. Returns its end.
 */
export function forceStates(): () => void {
  const sheet = new CSSStyleSheet()
  for (const rule of [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])) {
    if (!(rule instanceof CSSStyleRule)) continue
    for (const [state, pseudoClass] of Object.entries(pseudoClasses)) {
      if (!rule.selectorText.includes(pseudoClass)) continue
      // The page's own focus ring names no element.
      const selector = rule.selectorText.replaceAll(pseudoClass, '') || 'button'
      sheet.insertRule(`[data-show='${state}'] :is(${selector}) { ${rule.style.cssText} }`, sheet.cssRules.length)
    }
  }
  document.adoptedStyleSheets.push(sheet)
  return () => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  }
}
