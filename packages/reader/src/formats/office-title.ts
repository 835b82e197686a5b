import type { Reading } from '../reading'
import { readXml } from '../xml'
import type { Zip } from '../zip'

/** The title in the properties of an archive: of Office in `docProps/core.xml`, of OpenDocument in `meta.xml`. */
export async function readCoreTitle(zip: Zip, reading: Reading, entry = 'docProps/core.xml'): Promise<void> {
  let isTitle = false
  let title = ''
  await readXml(zip, entry, reading, {
    open(name) {
      isTitle = name === 'title'
    },
    text(text) {
      if (isTitle && title.length < 1_000) title += text
    },
    close() {
      isTitle = false
    },
  })
  if (title.trim() !== '') reading.title = title
}
