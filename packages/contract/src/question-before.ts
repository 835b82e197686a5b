import { type ContextExchange, isAboutFilesAlone } from './context'

/** More would lead away from what is asked now. */
const mostBefore = 3

/**
 * What was asked before a question, newest first, for a question that says too little by itself, such as "And why?".
 * Without those of files alone, which nobody has put into words.
 */
export function questionsBefore(path: readonly ContextExchange[]): string[] {
  return path
    .flatMap(({ messages }) => messages.filter(({ role }) => role === 'user').map(({ content }) => content))
    .filter((content) => !isAboutFilesAlone(content))
    .slice(-mostBefore)
    .reverse()
}
