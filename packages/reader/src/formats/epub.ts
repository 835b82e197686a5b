import { AppError } from '@parley/contract/errors'
import type { Reading } from '../reading'
import { attribute, readXml, resolvePath } from '../xml'
import type { Zip } from '../zip'
import { htmlParser } from './html-blocks'

/** The chapters of a book, in the order of its spine. */
export async function readEpub(zip: Zip, reading: Reading): Promise<void> {
  await refuseEncrypted(zip, reading)
  const chapters = await chaptersOf(zip, reading)
  for (const [index, chapter] of chapters.entries()) {
    const parser = htmlParser((block) => reading.add(block), { isXml: true })
    const decoder = new TextDecoder()
    await zip.pipe(chapter, reading, (bytes) => parser.write(decoder.decode(bytes, { stream: true })))
    parser.end()
    reading.progress(index + 1, chapters.length, 'pages')
  }
}

async function chaptersOf(zip: Zip, reading: Reading): Promise<string[]> {
  let packagePath = ''
  await readXml(zip, 'META-INF/container.xml', reading, {
    open(name, attributes) {
      if (name === 'rootfile' && packagePath === '') packagePath = attribute(attributes, 'full-path') ?? ''
    },
  })
  const folder = packagePath.slice(0, packagePath.lastIndexOf('/') + 1)
  const items = new Map<string, string>()
  const spine: string[] = []
  let isTitle = false
  let title = ''
  await readXml(zip, packagePath, reading, {
    open(name, attributes) {
      const id = attribute(attributes, 'id') ?? ''
      if (name === 'item') items.set(id, resolvePath(folder, decoded(attribute(attributes, 'href') ?? '')))
      else if (name === 'itemref') spine.push(attribute(attributes, 'idref') ?? '')
      isTitle = name === 'title' && reading.title === undefined
    },
    text(text) {
      if (isTitle && title.length < 1_000) title += text
    },
    close() {
      if (isTitle) reading.title = title
      isTitle = false
    },
  })
  const listed = spine.flatMap((id) => items.get(id) ?? []).filter((name) => zip.has(name))
  if (listed.length > 0) return listed
  reading.notices.add('damaged')
  return zip.names.filter((name) => /\.x?html?$/i.test(name)).sort()
}

/** Fonts may be disguised; anything else that is encrypted is a book that only its reader opens. */
async function refuseEncrypted(zip: Zip, reading: Reading): Promise<void> {
  let isFont = false
  await readXml(zip, 'META-INF/encryption.xml', reading, {
    open(name, attributes) {
      if (name === 'EncryptionMethod') isFont = /embedding|pdf\/enc#RC/.test(attribute(attributes, 'Algorithm') ?? '')
      else if (name === 'CipherReference' && !isFont) throw new AppError('source.protected')
    },
  })
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
