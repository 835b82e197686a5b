import type { Summary } from '@parley/contract/conversations'
import { findHome } from '../channels/homes'

type Changed = Omit<Summary, 'isUndone'> & { isUndone?: true | undefined }

/** Stores another text of a summary, or whether it is undone. Throws AppError. */
export async function changeSummary({ isUndone, ...summary }: Changed): Promise<void> {
  const home = await findHome(summary.channelId)
  await home.putSummary({ ...summary, ...(isUndone ? { isUndone } : {}) })
}
