import { createContext } from 'react'

/** The first number of the list, for a piece of a list that was cut. */
export const ListStart = createContext<number | undefined>(undefined)
