import type { Reading } from '../reading'
import { attribute, readXml } from '../xml'
import type { Zip } from '../zip'

/** What a paragraph's style says of its place in the text. */
export type DocxStyle = { heading?: number | undefined; isList?: boolean; isCode?: boolean; basedOn?: string }

/** In the languages of the product; Word itself keeps the English names. */
const headingName = /^(?:heading|t[ií]tulo|encabezado|cabeçalho|überschrift|titre)\s*([1-9])$/i

export async function readDocxStyles(zip: Zip, reading: Reading): Promise<Map<string, DocxStyle>> {
  const styles = new Map<string, DocxStyle>()
  let style: DocxStyle = {}
  await readXml(zip, 'word/styles.xml', reading, {
    open(name, attributes) {
      const value = attribute(attributes, 'val') ?? ''
      if (name === 'style') {
        style = {}
        styles.set(attribute(attributes, 'styleId') ?? '', style)
      } else if (name === 'name') {
        const level = headingName.exec(value)?.[1]
        if (level) style.heading = Number(level)
        else if (/^title$/i.test(value)) style.heading = 1
        style.isList = /^list\b/i.test(value)
        style.isCode = /\bcode\b|preformatted/i.test(value)
      } else if (name === 'outlineLvl' && Number(value) < 9) style.heading ??= Number(value) + 1
      else if (name === 'basedOn') style.basedOn = value
    },
  })
  for (const each of styles.values()) {
    // One step is what real documents have; a circle of styles does no harm.
    const base = each.basedOn === undefined ? undefined : styles.get(each.basedOn)
    each.heading ??= base?.heading
  }
  for (let level = 1; level <= 6; level++) {
    const id = `Heading${level}`
    if (!styles.has(id)) styles.set(id, { heading: level })
  }
  return styles
}
