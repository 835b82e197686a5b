import { seenSources } from '@parley/contract/brought-sources'
import type { Db } from '../../../db/client'
import type { OwnedChannel } from '../../channels/public/channel-row-store'
import { listSources } from '../source-store'

/** The sources of a channel, as whoever copies it names them. */
export async function seenSourcesOf(tx: Db, channel: OwnedChannel): Promise<string> {
  return seenSources(await listSources(tx, channel))
}
