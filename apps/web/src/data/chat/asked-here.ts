/** The last question that this tab has sent, or sent again: the chat goes to it, wherever its reader is. */
let lastAsked: string | undefined

export function noteAskedHere(mId: string): void {
  lastAsked = mId
}

export const wasAskedHere = (mId: string): boolean => mId === lastAsked
