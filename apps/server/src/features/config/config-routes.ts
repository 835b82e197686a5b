import { configRoutes, type PublicConfig } from '@parley/contract/config'
import { product } from '@parley/contract/product'
import type { FastifyInstance } from 'fastify'
import type { Env } from '../../env'
import { handle } from '../../plugins/handle'
import type { LlmProvider } from '../../providers/llm'

type Deps = {
  llm: LlmProvider
  signInMethods: PublicConfig['signInMethods']
  isEmailConfirmationRequired: boolean
  version: string
  contact: Env['contact']
  anonymousDailyMessages: number | null
  payments: PublicConfig['payments']
  creditMarkup: string
  suiAnchoring: PublicConfig['suiAnchoring']
  /** Asked for each time: a local server of models may come later. */
  webSearch: () => PublicConfig['webSearch']
  vectors: PublicConfig['vectors']
}

export function registerConfigRoutes(
  app: FastifyInstance,
  {
    llm,
    signInMethods,
    isEmailConfirmationRequired,
    version,
    contact,
    anonymousDailyMessages,
    payments,
    creditMarkup,
    suiAnchoring,
    webSearch,
    vectors,
  }: Deps,
): void {
  handle(app, configRoutes.get, { permission: 'anyone' }, (): PublicConfig => {
    const searchOffer = webSearch()
    return {
      product: { name: product.name, slug: product.slug },
      version,
      signInMethods,
      isEmailConfirmationRequired,
      defaultModel: llm.defaultModel,
      models: llm.kind,
      contact: {
        ...(contact.supportEmail ? { supportEmail: contact.supportEmail } : {}),
        ...(contact.supportChatUrl ? { supportChatUrl: contact.supportChatUrl } : {}),
        ...(contact.communityUrl ? { communityUrl: contact.communityUrl } : {}),
        ...(contact.twitter ? { twitter: contact.twitter } : {}),
        ...(contact.instagram ? { instagram: contact.instagram } : {}),
        ...(contact.youtube ? { youtube: contact.youtube } : {}),
        ...(contact.discord ? { discord: contact.discord } : {}),
      },
      anonymousDailyMessages,
      ...(payments ? { payments } : {}),
      creditMarkup,
      ...(suiAnchoring ? { suiAnchoring } : {}),
      ...(searchOffer ? { webSearch: searchOffer } : {}),
      ...(vectors ? { vectors } : {}),
      ...(app.isInMaintenance ? { maintenance: true } : {}),
    }
  })
}
