import type { ElementContent, Root, RootContent } from 'hast'
import type { ReactNode } from 'react'
import styles from './code-segment.module.css'

/** In code nothing may be there that is not seen: the reader would run other lines than they read (CVE-2021-42574). */
const hiddenInCode = /[\p{Cf}\u115F\u1160\u2800\u3164\uFFA0]|[^\P{Cc}\t\n\r]|[\u2028\u2029]/u
const eachHiddenInCode = new RegExp(`(${hiddenInCode.source})`, 'gu')

const codePoint = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Code with each hidden character as a mark that names it. The copy button copies the code as it came. */
export function withMarks(code: string): ReactNode {
  if (!hiddenInCode.test(code)) return code
  return code.split(eachHiddenInCode).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a mark's place is its identity
      <span key={index} className={styles.hiddenCharacter}>
        {codePoint(part)}
      </span>
    ),
  )
}

/** Overrides of direction and characters that carry words nobody sees; what scripts and emoji need stays as it is. */
const misleading =
  /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}|[\u202A\u202B\u202D\u202E\u{E0000}-\u{E007F}]/gu

/** Sentences name what would turn or hide their words. Code has marks of its own. */
export function markMisleading() {
  return (tree: Root): void => tree.children.forEach(mark)
}

function mark(node: RootContent | ElementContent): void {
  if (node.type === 'text')
    node.value = node.value.replace(misleading, (found) =>
      found.startsWith('\u{1F3F4}') ? found : `[${codePoint(found)}]`,
    )
  else if (node.type === 'element' && node.tagName !== 'code') node.children.forEach(mark)
}
