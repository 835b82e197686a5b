/** The tables that have records of sources. */
export const sourceTables = ['documents', 'files'] as const
