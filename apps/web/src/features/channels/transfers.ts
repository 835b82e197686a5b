import { loadPart, tellOfFailure } from '../../ui/lazy-part'

type Transfers = typeof import('./transfer-chats')

/** Loads the code of exports and imports with the first use. */
const transfers = (): Promise<Transfers> => loadPart(() => import('./transfer-chats'), tellOfFailure)

export const exportAllChats: Transfers['exportAllChats'] = async (...given) =>
  (await transfers()).exportAllChats(...given)
export const importChats: Transfers['importChats'] = async (...given) => (await transfers()).importChats(...given)
