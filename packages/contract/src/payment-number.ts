/**
 * What a payment is called in mails and lists, so that a person can match them: the last part of its id, which is the
 * random one.
 */
export const paymentNumber = (paymentId: string): string => paymentId.slice(-12)
