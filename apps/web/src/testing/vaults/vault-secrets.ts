/** Of the vaults in this folder: what the server, or the person, opens them with. */
export const theUserId = '0193f000-0000-7000-8000-000000000009'
export const theAccountKey = 'B'.repeat(43)
export const thePassphrase = 'a phrase that only Ana knows'
