/**
 * A signed-in person or an anonymous visitor who chats. `address` is the keyed hash of the network address, `sessionId`
 * is set for a signed-in person.
 */
export type Visitor = { subject: string; address: string; sessionId?: string | undefined }
