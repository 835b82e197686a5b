// First, so that every component's own style comes after it.
import './ui/global.css'
import { errorText } from '@parley/contract/errors'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import * as z from 'zod/mini'
import { startAfterLoad } from './app/after-load'
import { ErrorBoundary } from './app/error-boundary'
import { watchErrors } from './app/error-watch'
import { LastResortScreen } from './app/last-resort-screen'
import { MaintenanceHost } from './app/maintenance/maintenance-host'
import { createQueryClient, refetchWhenOnline } from './app/query-client'
import { AppRouter, createAppRouter } from './app/router'
import { takeNotice } from './data/auth/notice'
import { watchSession } from './data/auth/session-watch'
import { watchVault } from './data/vault/vault-state'
import { createWorkspace } from './data/workspace'
import { startI18n } from './i18n/i18n'
import { firstTextIsComposed } from './lib/first-screen'
import { watchTheme } from './ui/theme'
import { Toaster, toast } from './ui/toast'

// The page's security policy forbids eval, and zod would try it.
z.config({ jitless: true })

const container = document.createElement('div')
const root = createRoot(document.getElementById('root') ?? document.body.appendChild(container))

async function start(): Promise<void> {
  // First: what is kept from now on, by a session that ends while this page starts, is for the page after it.
  const notice = takeNotice()
  watchTheme()
  await startI18n()
  const queryClient = createQueryClient()
  refetchWhenOnline(queryClient)
  createWorkspace({ queryClient })
  watchSession(queryClient)
  await watchVault()
  const router = createAppRouter()
  // Otherwise the first render would be an empty page, where the first screen stands.
  await router.start()
  await firstTextIsComposed()
  root.render(
    <StrictMode>
      <ErrorBoundary>
        <QueryClientProvider client={queryClient}>
          <AppRouter router={router} />
          <MaintenanceHost />
          <Toaster />
        </QueryClientProvider>
      </ErrorBoundary>
    </StrictMode>,
  )
  if (notice) toast.error(errorText(notice, document.documentElement.lang))
  watchErrors()
  startAfterLoad()
}

start().catch((error: unknown) => root.render(<LastResortScreen error={error} atStart />))
