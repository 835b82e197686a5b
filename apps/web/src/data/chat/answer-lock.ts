/** The name of the lock that one tab at a time holds while it stores a question or receives its answer. */
export const answerLock = (messageId: string): string => `answer:${messageId}`
