import { createContext } from 'react'

/**
 * True inside the block that is still being written: code in a list cannot tell by itself whether its last line is
 * whole.
 */
export const Growing = createContext(false)
