type Answer = { status: number; body?: unknown }

/** Answers calls alike, and keeps the bodies that they had. */
export function recorder(answer: Answer | (() => Promise<never>) = { status: 204 }) {
  const bodies: unknown[] = []
  return {
    bodies,
    answer: (body: unknown) => {
      bodies.push(body)
      return typeof answer === 'function' ? answer() : answer
    },
  }
}
