/**
 * A line as pairs of length and kind of token; what is left of the line is plain.
 * Kinds, as colours: 0 plain, 1 keyword, 2 string, 3 comment, 4 number, 5 name, 6 type, 7 added, 8 removed.
 */
export type LineTokens = readonly number[]

export type HighlightRequest = { id: number; language: string; text: string } | { id: number; isClosed: true }

/** `isBegun`: its grammar is there, and the lines are being read. */
export type HighlightReply = { id: number; lines: LineTokens[] } | { id: number; isBegun: true }
