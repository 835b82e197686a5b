import type { Page } from '@playwright/test'

const widths = [390, 1440] as const
const directions = ['ltr', 'rtl'] as const

/**
 * In npm test one look takes one width in one direction, the next ones the others in turn; with the deep journeys each
 * takes all.
 */
const takesAll = Boolean(process.env.WITH_DEEP)
let looksTaken = 0

/**
 * A window that has just changed its size is drawn again in a few frames; what is still wrong after so many is wrong.
 */
const mostLooks = 20

/**
 * What is wrong with a screen as it stands, at the widths and in the directions whose turn it is: nothing, for a good
 * one.
 */
export async function layoutFindings(page: Page, names: RegExp): Promise<string[]> {
  const found = new Set<string>()
  const turn = looksTaken++
  for (const [at, width] of widths.entries()) {
    const isTurn = (of: number): boolean => takesAll || at * directions.length + of === turn % 4
    const looked = directions.filter((_, of) => isTurn(of))
    // Also where it is not looked at: a menu closes by it, and what is done next begins at the last width.
    await page.setViewportSize({ width, height: 900 })
    for (const [of, direction] of looked.entries()) {
      let findings: string[] = []
      for (let look = 0; look < mostLooks; look += 1) {
        // The components hear of a new width, and the texts are the same in the other direction.
        findings = await page.evaluate(lookAt, {
          direction,
          names: names.source,
          isNewWidth: of === 0 || look > 0,
        })
        if (findings.length === 0) break
      }
      for (const finding of findings) found.add(`${width} ${direction}: ${finding}`)
    }
  }
  return [...found]
}

/** Runs in the page. */
async function lookAt({
  direction,
  names,
  isNewWidth,
}: {
  direction: string
  names: string
  isNewWidth: boolean
}): Promise<string[]> {
  document.documentElement.dir = direction
  if (isNewWidth) await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const found: string[] = []
  const measured = new Map<Element, { style: CSSStyleDeclaration; overflow: string; shortens: boolean; box: DOMRect }>()
  /** Nothing moves while it is looked at. */
  const measure = (element: Element) => {
    const known = measured.get(element)
    if (known) return known
    const style = getComputedStyle(element)
    const shortens = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none'
    const measures = {
      style,
      overflow: `${style.overflowX} ${style.overflowY}`,
      shortens,
      box: element.getBoundingClientRect(),
    }
    measured.set(element, measures)
    return measures
  }
  const allNames = new RegExp(names, 'gu')
  const isVisible = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const described = (element: Element): string => {
    const text = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 50)
    return `<${element.tagName.toLowerCase()} class="${[...element.classList].join(' ')}"> ${text}`
  }

  // Hard-coded: letters outside of the brackets. A text may be spread over several elements.
  let depth = 0
  const inside = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = inside.nextNode(); node && isNewWidth; node = inside.nextNode()) {
    const parent = node.parentElement
    if (!parent || parent.closest('script, style, noscript, code, option, bdi, kbd, pre')) continue
    let outside = ''
    for (const letter of node.textContent ?? '') {
      if (letter === '⟧') depth -= 1
      if (depth === 0 && letter !== '⟧' && letter !== '⟦') outside += letter
      if (letter === '⟦') depth += 1
    }
    if (/\p{L}{2}/u.test(outside.replace(allNames, '')) && isVisible(parent))
      found.push(`hard-coded text "${outside.trim()}"`)
  }
  const spoken = [
    'aria-label',
    'aria-description',
    'aria-valuetext',
    'aria-roledescription',
    'title',
    'placeholder',
    'alt',
  ]
  for (const attribute of isNewWidth ? spoken : []) {
    for (const element of document.querySelectorAll(`[${attribute}]`)) {
      const text = (element.getAttribute(attribute) ?? '').replace(allNames, '')
      if (/\p{L}{2}/u.test(text) && !text.includes('⟦')) found.push(`hard-coded ${attribute} "${text}"`)
    }
  }

  const page = document.documentElement
  if (page.scrollWidth > innerWidth + 1) found.push(`the page is ${page.scrollWidth} px wide`)

  const dialogs = [...document.querySelectorAll('dialog[open]')]
  const root = dialogs.at(-1) ?? document.body
  const controls = [
    ...root.querySelectorAll<HTMLElement>(
      'button, a[href], input:not([type=hidden]), select, textarea, summary, [role=button], [role=tab]',
    ),
  ].filter((control) => isVisible(control) && !control.closest('[inert]'))
  /** What is really seen at this place, if it is within the window. */
  const seenAt = (x: number, y: number): Element | null =>
    x >= 0 && y >= 0 && x < innerWidth && y < innerHeight ? document.elementFromPoint(x, y) : null

  /** The nearest part around it that is taken out of the flow. */
  const layerOf = (element: Element): Element | null => {
    let each: Element | null = element
    while (each && !/absolute|sticky|fixed/.test(measure(each).style.position)) each = each.parentElement
    return each
  }
  for (const control of controls) {
    const box = control.getBoundingClientRect()
    if (box.width < 2 || box.height < 2) continue
    const seen = seenAt(box.left + box.width / 2, box.top + box.height / 2)
    const other = seen?.closest('button, a[href], input, select, textarea, summary')
    if (
      !other ||
      other === control ||
      control.contains(other) ||
      other.contains(control) ||
      control.closest('label')?.contains(other)
    )
      continue
    // A menu over a list and a bar over what scrolls are meant so; two that stand in the same layer are not.
    if (layerOf(other) !== layerOf(control)) continue
    found.push(`${described(control)} lies under ${described(other)}`)
  }

  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement
    if (
      !parent ||
      (node.textContent ?? '').trim() === '' ||
      parent.closest('script, style, noscript, svg, option, textarea') ||
      !isVisible(parent)
    )
      continue
    range.selectNodeContents(node)
    const rects = [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
    if (rects.length === 0) continue
    const [left, right] = [Math.min(...rects.map((rect) => rect.left)), Math.max(...rects.map((rect) => rect.right))]
    const [top, bottom] = [Math.min(...rects.map((rect) => rect.top)), Math.max(...rects.map((rect) => rect.bottom))]
    let isShortened = false
    for (let box: Element | null = parent; box && box !== root.parentElement; box = box.parentElement) {
      const { style, overflow, shortens, box: bounds } = measure(box)
      if (style.position === 'absolute' && style.clipPath !== 'none') break
      const { left: from, right: to, top: above, bottom: below } = bounds
      const sticksOut = left < from - 2 || right > to + 2
      isShortened ||= shortens
      if (/auto|scroll/.test(overflow)) {
        // What scrolls sideways is a table, code, or a row of tabs, and says so.
        if (
          box.scrollWidth > box.clientWidth + 1 &&
          !box.matches('pre, [role=tablist], [data-scrolls], [role=region]')
        ) {
          found.push(`${described(box)} scrolls sideways`)
        }
        break
      }
      if (sticksOut && !isShortened && /hidden|clip/.test(style.overflowX)) {
        found.push(`cut off in ${described(box)}: ${(node.textContent ?? '').slice(0, 60)}`)
        break
      }
      if (!isShortened && /hidden|clip/.test(style.overflowY) && (top < above - 3 || bottom > below + 3)) {
        found.push(`cut off below in ${described(box)}: ${(node.textContent ?? '').slice(0, 60)}`)
        break
      }
      if (sticksOut && !isShortened && box.matches('button, a, label, dialog, [role=tab], td, th, li')) {
        found.push(`sticks out of ${described(box)}: ${(node.textContent ?? '').slice(0, 60)}`)
        break
      }
      if (style.position === 'fixed') break
    }
  }
  return [...new Set(found)]
}
