import 'fake-indexeddb/auto'
import './browser-gaps'
import './no-owner-stacks'
import type { PublicConfig } from '@parley/contract/config'
import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { onTestFinished } from 'vitest'
import { MaintenanceHost } from '../app/maintenance/maintenance-host'
import { createQueryClient } from '../app/query-client'
import { AppRouter, createAppRouter } from '../app/router'
import { storedSession } from '../data/session/stored-session'
import { createWorkspace } from '../data/workspace'
import { preloadChannelParts } from '../features/channels/later-channel-parts'
import { startI18n } from '../i18n/i18n'
import { Toaster } from '../ui/toast'

/** A server without sign-in and without a model. */
export const aConfig: PublicConfig = {
  product: { name: 'Parley', slug: 'parley' },
  version: '0.1.0',
  signInMethods: [],
  isEmailConfirmationRequired: false,
  defaultModel: 'parley/offline',
  models: 'offline',
  contact: {},
  anonymousDailyMessages: null,
}

type Answer = { status: number; body?: unknown }
/** What the server says to a call, by its method and path, such as 'POST /api/auth/login'. */
type Answers = Record<string, (body: unknown, query: URLSearchParams) => Answer | Promise<Answer>>

/**
 * The whole app at an address, over the real device store. The server behind it knows its configuration, whoever is
 * signed in, and the given answers.
 */
export async function renderScreen(
  address = '/app',
  options: { config?: Partial<PublicConfig>; answers?: Answers } = {},
) {
  const answers: Answers = {
    'GET /api/config': () => ({ status: 200, body: { ...aConfig, ...options.config } }),
    'GET /api/user': () => ({ status: 200, body: storedSession()?.user }),
    'GET /api/channel': () => ({ status: 200, body: { channels: [], documents: [] } }),
    ...options.answers,
  }
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, location.href)
    const answer = answers[`${init?.method ?? 'GET'} ${pathname}`]
    if (!answer) return Response.json({ success: false, code: 'not-found', message: '', status: 404 }, { status: 404 })
    const { status, body } = await answer(
      typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
      searchParams,
    )
    return status === 204 ? new Response(null, { status }) : Response.json(body ?? null, { status })
  }
  history.replaceState(null, '', address)
  await startI18n()
  // With the first chat, which most tests have: not each has to wait for it.
  await preloadChannelParts()
  const router = createAppRouter()
  await router.start()
  onTestFinished(router.stop)
  const queryClient = createQueryClient()
  createWorkspace({ queryClient })
  const view = render(
    <QueryClientProvider client={queryClient}>
      <AppRouter router={router} />
      <MaintenanceHost />
      <Toaster />
    </QueryClientProvider>,
  )
  await screen.findByRole('main')
  return { ...view, router, user: typingAtOnce(userEvent.setup()) }
}

/**
 * Types the text before the first named key in one go, as a paste does: each key by itself renders the whole app again.
 * What depends on single keys presses them with `keyboard`.
 */
function typingAtOnce(user: UserEvent): UserEvent {
  const type: UserEvent['type'] = async (element, text, options) => {
    const atOnce = /^[^{[]*/.exec(text)?.[0] ?? ''
    if (atOnce.length < 2) return user.type(element, text, options)
    if (!options?.skipClick) await user.click(element)
    await user.paste(atOnce)
    const keys = text.slice(atOnce.length)
    if (keys !== '') await user.keyboard(keys)
  }
  return { ...user, type }
}
