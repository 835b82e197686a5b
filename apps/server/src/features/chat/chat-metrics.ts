import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export type ChatMetrics = ReturnType<typeof chatMetrics>

/** Labels must not contain ids, model names that people chose, or texts. */
export function chatMetrics(registry: Registry) {
  return {
    preparing: new Gauge({
      name: 'chat_questions_preparing',
      help: 'Questions that this node has taken, whose answers have not begun',
      registers: [registry],
    }),
    running: new Gauge({
      name: 'chat_answers_running',
      help: 'Answers that this node is writing',
      registers: [registry],
    }),
    sockets: new Gauge({ name: 'chat_sockets_open', help: 'Open chat sockets of this node', registers: [registry] }),
    answers: new Counter({
      name: 'chat_answers_total',
      help: 'Answers that ended, by outcome',
      labelNames: ['outcome'],
      registers: [registry],
    }),
    firstToken: new Histogram({
      name: 'chat_first_token_seconds',
      help: 'Time from the question to the first text',
      buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60],
      registers: [registry],
    }),
  }
}
