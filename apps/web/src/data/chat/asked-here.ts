import { scoped } from '../scope/scope'

/** The last question that this tab has sent, or sent again: the chat goes to it, wherever its reader is. */
const askedHere = scoped((): { last: string | undefined } => ({ last: undefined }))

export function noteAskedHere(mId: string): void {
  askedHere().last = mId
}

export const wasAskedHere = (mId: string): boolean => mId === askedHere().last
