import { Outlet } from '@tanstack/react-router'
import { SuiPage } from '../features/agents/sui-page'

/** The agents of wallets; one that is being written is shown over them. */
export default function SuiAgentsScreen() {
  return (
    <>
      <SuiPage />
      <Outlet />
    </>
  )
}
