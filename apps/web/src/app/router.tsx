import { pages } from '@parley/contract/pages'
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import i18next from 'i18next'
import type { ReactNode } from 'react'
import { openLoginPanel } from '../data/session/login-panel'
import { ChatScreen } from '../screens/chat-screen'
import { loadPart, tellOfFailure } from '../ui/lazy-part'
import { toast } from '../ui/toast'
import { ComingScreen } from './coming-screen'
import { LastResortScreen } from './last-resort-screen'
import { Shell } from './shell/shell'

/** A screen that comes with its first visit. */
const laterScreen = (load: () => Promise<{ default: () => ReactNode }>) => lazyRouteComponent(() => loadPart(load, tellOfFailure))

const rootRoute = createRootRoute({ errorComponent: ({ error }) => <LastResortScreen error={error} /> })

const shellRoute = createRoute({ getParentRoute: () => rootRoute, id: 'shell', component: Shell })

const appRoute = createRoute({ getParentRoute: () => shellRoute, path: pages.chat, component: ChatScreen })

// The search is read by the screen itself: links from mails and older pages carry more than one knows.
const settingsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: pages.settings,
  component: laterScreen(() => import('../screens/settings-screen')),
})

// One screen for both, so that the lists stay as they are while one of their agents is looked at.
const agentsRoute = createRoute({
  getParentRoute: () => shellRoute,
  id: 'agents',
  component: laterScreen(() => import('../screens/agents-screen')),
})

const assistantsRoute = createRoute({ getParentRoute: () => agentsRoute, path: pages.assistants, staticData: { agentList: 'all' } })

const assistantRoute = createRoute({
  getParentRoute: () => agentsRoute,
  path: pages.assistant,
  component: laterScreen(() => import('../screens/shared-agent-screen')),
})

// Beside the marketplace: the list stays while one of its agents is shown or written.
const suiListRoute = createRoute({ getParentRoute: () => agentsRoute, path: pages.suiAssistants, staticData: { agentList: 'wallets' } })

const suiCreateRoute = createRoute({
  getParentRoute: () => agentsRoute,
  path: pages.suiCreate,
  staticData: { agentList: 'wallets' },
  component: laterScreen(() => import('../screens/sui-create-screen')),
})

const suiEditRoute = createRoute({
  getParentRoute: () => agentsRoute,
  path: pages.suiEdit,
  staticData: { agentList: 'wallets' },
  component: laterScreen(() => import('../screens/sui-edit-screen')),
})

const aboutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: pages.about,
  component: laterScreen(() => import('../screens/about-screen')),
})

const inviteRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: pages.invite,
  component: laterScreen(() => import('../screens/invite-screen')),
})

const resetPasswordRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: pages.resetPassword,
  component: laterScreen(() => import('../screens/reset-password-screen')),
})

const leadToSettings = (path: string) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    beforeLoad: () => {
      throw redirect({ to: pages.settings, replace: true })
    },
  })

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: pages.login,
  beforeLoad: () => {
    openLoginPanel()
    throw redirect({ to: pages.chat, replace: true })
  },
})

// The landing page is the server's. Without a network the app takes its place, and that of unknown addresses.
const landingRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: pages.chat, replace: true })
  },
})

const unknownRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: () => {
    toast.notice(i18next.t('shell.unknownPage'))
    throw redirect({ to: '/', replace: true })
  },
})

const devRoutes = import.meta.env.DEV
  ? [createRoute({ getParentRoute: () => rootRoute, path: '/dev/ui', component: lazyRouteComponent(() => import('../screens/dev-ui-screen')) })]
  : []

export function createAppRouter() {
  return createRouter({
    routeTree: rootRoute.addChildren([
      shellRoute.addChildren([
        appRoute,
        agentsRoute.addChildren([assistantsRoute, assistantRoute, suiListRoute, suiCreateRoute, suiEditRoute]),
        aboutRoute,
        inviteRoute,
        settingsRoute,
      ]),
      leadToSettings(pages.account),
      leadToSettings(pages.profile),
      loginRoute,
      resetPasswordRoute,
      landingRoute,
      unknownRoute,
      ...devRoutes,
    ]),
    defaultPreload: false,
    defaultPendingComponent: ComingScreen,
    scrollRestoration: false,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}
