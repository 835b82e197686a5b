/** The product's name, in one place. The slug is part of the contract: tab id, IndexedDB name, file prefixes. */
export const product = { name: 'Parley', slug: 'parley' } as const
