import type { Passage } from '@parley/contract/read-document'
import { foldedMessage } from '@parley/contract/search-text'
import type { Db } from '../../db/client'
import { sourcePassages } from '../../db/schema/sources'
import { toStored } from '../messages/public/stored-text'

type Reading = { ownerId: string; channelId: string; sourceId: string; readingId: string }

/** They count once the attempt is the one whose text the source has. */
export async function insertPassages(db: Db, reading: Reading, passages: readonly Passage[]): Promise<void> {
  if (passages.length === 0) return
  await db.insert(sourcePassages).values(
    passages.map(({ index, text, page, headings, blocks: [firstBlock, endBlock] }) => ({
      ...reading,
      ...{ index, firstBlock, endBlock },
      text: toStored(text),
      page: page ?? null,
      headings: headings.map(toStored),
      folded: foldedMessage(headings.join(' '), text),
    })),
  )
}
