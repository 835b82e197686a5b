import { createContext, useContext } from 'react'

/** Keeps the footnotes of one answer apart from another's. */
export const DocumentId = createContext('')

export const useFootnoteId = (label: string): string => `${useContext(DocumentId)}-footnote-${label}`
