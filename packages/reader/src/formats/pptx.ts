import type { DocumentBlock } from '@parley/contract/read-document'
import type { Reading } from '../reading'
import { guessHeader, tidyRows } from '../table-shape'
import { attribute, readXml, relationsOf, type XmlAttributes, type XmlHandler } from '../xml'
import type { Zip } from '../zip'
import { readCoreTitle } from './office-title'

/** The slides of a presentation in their order, each with its title, its text, its tables and what the speaker says. */
export async function readPptx(zip: Zip, reading: Reading): Promise<void> {
  await readCoreTitle(zip, reading)
  const slides = await slidesOf(zip, reading)
  for (const [index, slide] of slides.entries()) {
    const page = index + 1
    reading.beginPage(page)
    await readXml(
      zip,
      slide,
      reading,
      slideHandler((block) => reading.add({ ...block, page })),
    )
    for (const { type, target } of (await relationsOf(zip, slide, reading)).values()) {
      if (type !== 'notesSlide') continue
      const notes = slideHandler((block, kind) => {
        // Beside the notes there is a picture of the slide, and its number.
        if (kind === 'body') reading.add({ ...block, page })
      })
      await readXml(zip, target, reading, notes)
    }
    reading.progress(page, slides.length, 'pages')
  }
}

/** As the presentation lists them; where its list is gone, by their numbers. */
async function slidesOf(zip: Zip, reading: Reading): Promise<string[]> {
  const ids: string[] = []
  await readXml(zip, 'ppt/presentation.xml', reading, {
    open(name, attributes) {
      const id = attributes['r:id'] ?? ''
      if (name === 'sldId' && id !== '') ids.push(id)
    },
  })
  const relations = await relationsOf(zip, 'ppt/presentation.xml', reading)
  const listed = ids.flatMap((id) => relations.get(id)?.target ?? []).filter((slide) => zip.has(slide))
  if (listed.length > 0) return listed
  const numberOf = (name: string) => Number(/(\d+)\.xml$/.exec(name)?.[1] ?? 0)
  return zip.names
    .filter((name) => /^ppt\/slides\/slide\d+\.xml$/.test(name))
    .sort((one, other) => numberOf(one) - numberOf(other))
}

type Paragraph = { text: string; level: number; isItem: boolean }

/** `kind`: of the placeholder that a text stands in. */
function slideHandler(onBlock: (block: DocumentBlock, kind: string) => void): XmlHandler {
  let kind = ''
  let isText = false
  let paragraph: Paragraph | undefined
  let table: { rows: string[][]; cell: string[] | undefined } | undefined

  const onOpen = (name: string, attributes: XmlAttributes): void => {
    if (name === 'sp') kind = ''
    else if (name === 'ph') kind = attribute(attributes, 'type') ?? 'body'
    else if (name === 'tbl') table = { rows: [], cell: undefined }
    else if (name === 'tr') table?.rows.push([])
    else if (name === 'tc' && table) table.cell = []
    else if (name === 'p') paragraph = { text: '', level: 0, isItem: kind === 'body' || kind === 'obj' }
    else if (name === 'pPr' && paragraph) paragraph.level = Math.min(8, Number(attribute(attributes, 'lvl')) || 0)
    else if (name === 'buNone' && paragraph) paragraph.isItem = false
    else if ((name === 'buChar' || name === 'buAutoNum') && paragraph) paragraph.isItem = true
    else if (name === 'br' && paragraph) paragraph.text += '\n'
    else if (name === 't') isText = true
  }

  const endParagraph = (): void => {
    if (!paragraph) return
    const { text, level, isItem } = paragraph
    paragraph = undefined
    if (table) table.cell?.push(text)
    else if (kind === 'title' || kind === 'ctrTitle') onBlock({ kind: 'heading', level: 1, text }, kind)
    else if (kind === 'subTitle') onBlock({ kind: 'heading', level: 2, text }, kind)
    else if (isItem) onBlock({ kind: 'list-item', level, text }, kind)
    else if (!['sldNum', 'dt', 'ftr', 'hdr'].includes(kind)) onBlock({ kind: 'paragraph', text }, kind)
  }

  return {
    open: onOpen,
    text(text) {
      if (isText && paragraph) paragraph.text += text
    },
    close(name) {
      if (name === 't') isText = false
      else if (name === 'p') endParagraph()
      else if (name === 'tc' && table?.cell) {
        table.rows.at(-1)?.push(table.cell.join('\n'))
        table.cell = undefined
      } else if (name === 'tbl' && table) {
        const rows = tidyRows(table.rows)
        table = undefined
        onBlock({ kind: 'table', rows, hasHeader: guessHeader(rows) }, kind)
      }
    },
  }
}
