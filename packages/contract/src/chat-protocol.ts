// What both ends of the chat socket go by, beside the frames themselves.

/**
 * What the socket's query `frames` names: kinds of frames of an answer that not every client knows. Others get a
 * `status` in their place.
 */
export const optionalFrames = ['reasoning', 'file', 'source'] as const

/** Frames after which an answer is over. */
export const finalEvents = ['end', 'stopped', 'no-credits', 'error', 'error-openrouter'] as const

/** WebSocket close codes of the chat socket. */
export const closeCode = {
  goingAway: 1001,
  restart: 1012,
  unauthenticated: 4401,
  forbidden: 4403,
  slowReader: 4408,
  tooMany: 4429,
} as const
