import { pages } from '@parley/contract/pages'
import type { ComponentType, ReactNode } from 'react'
import { openLoginPanel } from '../data/session/login-panel'
import { t } from '../i18n/interface-language'
import { Outlet } from '../lib/router/outlet'
import { createRouter, type Route, type Router, RouterContext, type Screen, usePageData } from '../lib/router/router'
import { ChatScreen } from '../screens/chat-screen'
import { loadPart, tellOfFailure } from '../ui/lazy-part'
import { toast } from '../ui/toast'
import { Shell } from './shell/shell'

/** A screen that comes with its first visit. */
function laterScreen(load: () => Promise<{ default: ComponentType }>): Screen {
  const screen: Screen = {
    load: async () => {
      screen.component = (await loadPart(load, tellOfFailure)).default
    },
  }
  return screen
}

// One screen for all of them, so that the lists stay as they are while one of their agents is looked at or written.
const agents = laterScreen(() => import('../screens/agents-screen'))

// The searches are read by the screens themselves: links from mails and older pages carry more than one knows.
const routes: readonly Route[] = [
  { path: pages.chat, area: 'chat', screen: { component: ChatScreen } },
  { path: pages.settings, area: 'settings', screen: laterScreen(() => import('../screens/settings-screen')) },
  { path: pages.assistants, area: 'agents', agentList: 'all', screen: agents },
  {
    ...{ path: pages.assistant, area: 'agents', screen: agents },
    over: laterScreen(() => import('../screens/shared-agent-screen')),
  },
  { path: pages.suiAssistants, area: 'agents', agentList: 'wallets', screen: agents },
  {
    ...{ path: pages.suiCreate, area: 'agents', agentList: 'wallets', screen: agents },
    over: laterScreen(() => import('../screens/sui-create-screen')),
  },
  {
    ...{ path: pages.suiEdit, area: 'agents', agentList: 'wallets', screen: agents },
    over: laterScreen(() => import('../screens/sui-edit-screen')),
  },
  { path: pages.about, area: 'about', screen: laterScreen(() => import('../screens/about-screen')) },
  { path: pages.invite, area: 'invitation', screen: laterScreen(() => import('../screens/invite-screen')) },
  {
    ...{ path: pages.resetPassword, area: 'reset' },
    // The password of an account is not the passphrase of a device.
    isOpenWhileLocked: true,
    screen: laterScreen(() => import('../screens/reset-password-screen')),
  },
  { path: pages.account, leadsTo: () => pages.settings },
  { path: pages.profile, leadsTo: () => pages.settings },
  {
    path: pages.login,
    leadsTo: () => {
      openLoginPanel()
      return pages.chat
    },
  },
  // The landing page is the server's. Without a network the app takes its place, and that of unknown addresses.
  { path: '/', leadsTo: () => pages.chat },
  ...(import.meta.env.DEV
    ? [{ path: '/dev/ui', isBare: true, screen: laterScreen(() => import('../screens/dev-ui-screen')) }]
    : []),
  {
    path: '*',
    leadsTo: () => {
      toast.notice(t('shell.unknownPage'))
      return pages.chat
    },
  },
]

export const createAppRouter = (): Router => createRouter(routes)

/** The app at its address. The router has started. */
export function AppRouter({ router }: { router: Router }): ReactNode {
  return (
    <RouterContext value={router}>
      <Page />
    </RouterContext>
  )
}

function Page(): ReactNode {
  return usePageData('isBare') ? <Outlet /> : <Shell />
}
