/** The structures of a zip file that are read and written here (APPNOTE 6.3). Numbers are little-endian. */
export const signature = { local: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50, end: 0x06054b50 } as const
export const method = { stored: 0, deflated: 8 } as const
export const flag = { encrypted: 0x0001, descriptor: 0x0008, utf8: 0x0800 } as const

/** Sizes of the fixed structures. */
export const length = { local: 30, descriptor: 16, central: 46, end: 22 } as const
/** A comment may follow the end record. */
export const maxComment = 0xffff
/** Larger offsets need the 64-bit format, which is not supported. */
export const maxOffset = 0xffffffff
