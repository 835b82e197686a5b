import * as z from 'zod/mini'
import { DollarText } from './money'
import { route } from './route'

/** How credits can be bought from a server; no methods: it sells none. */
export const PaymentOffer = z.object({
  methods: z.array(z.enum(['pix', 'card', 'token'])),
  minDollars: z.number(),
  maxDollars: z.number(),
  /** Reais for one dollar, where there is Pix. */
  usdBrlRate: z.optional(z.string()),
  /** Dollars for one token, and its chain, where there is the token. */
  aizUsdPrice: z.optional(z.string()),
  chainId: z.optional(z.int()),
})
export type PaymentOffer = z.infer<typeof PaymentOffer>

/** The package of the Sui chain that versions of agents are anchored with, and the network that it is on. */
export const SuiAnchoring = z.object({
  package: z.string(),
  network: z.enum(['mainnet', 'testnet', 'devnet', 'localnet']),
})
export type SuiAnchoring = z.infer<typeof SuiAnchoring>

/** What a client may know of this server before anyone signs in. */
export const PublicConfig = z.object({
  product: z.object({ name: z.string(), slug: z.string() }),
  version: z.string(),
  /** Ways to sign in; google only where a client id is configured. */
  signInMethods: z.array(z.enum(['email', 'google', 'ethereum', 'solana', 'sui'])),
  isEmailConfirmationRequired: z.boolean(),
  defaultModel: z.string(),
  /** gateway: a paid or remote gateway. local: a model server on this machine. offline: none is connected. */
  models: z.enum(['gateway', 'local', 'offline']),
  contact: z.object({
    supportEmail: z.optional(z.string()),
    supportChatUrl: z.optional(z.string()),
    communityUrl: z.optional(z.string()),
    twitter: z.optional(z.string()),
    instagram: z.optional(z.string()),
    youtube: z.optional(z.string()),
    discord: z.optional(z.string()),
  }),
  anonymousDailyMessages: z.nullable(z.int()),
  /** How credits can be bought here; absent from servers that are older than payments. */
  payments: z.optional(PaymentOffer),
  /** What the prices of models are multiplied with, as a decimal; 1 unless said. */
  creditMarkup: z.optional(z.string()),
  /** Absent where nothing is anchored on a chain. */
  suiAnchoring: z.optional(SuiAnchoring),
  /**
   * Questions can search the web; absent where they cannot. `price`: the most that a search is charged beside the
   * answer, in dollars; absent where it costs nothing. `byGateway`: the gateway searches, which reads the whole
   * question.
   */
  webSearch: z.optional(z.object({ price: z.optional(DollarText), byGateway: z.optional(z.boolean()) })),
  /**
   * Texts of a device can be compared by their meaning, with vectors of this model; absent where they cannot. Vectors
   * of another one are of no use.
   */
  vectors: z.optional(z.object({ model: z.string() })),
  /** The operator works on the server: every other call is refused until this is gone. */
  maintenance: z.optional(z.boolean()),
})
export type PublicConfig = z.infer<typeof PublicConfig>

export const configRoutes = {
  get: route({
    method: 'GET',
    path: '/api/config',
    response: PublicConfig,
    summary: 'Public configuration of this server',
  }),
}
