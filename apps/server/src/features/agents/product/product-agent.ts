import type { AgentLanguage } from '@parley/contract/agents'

/** An agent of the product's own team. */
export type ProductAgent = {
  /** `product-<slug>`; never changes. */
  id: string
  /** The same in every language. */
  name: string
  category: string
  /** Seed of its drawn face. */
  face: string
  /** Each written by a native hand; `prompt` goes to the model, the others are for people. */
  texts: Record<AgentLanguage, { role: string; about: string; prompt: string; defaultGreetings: string }>
}
