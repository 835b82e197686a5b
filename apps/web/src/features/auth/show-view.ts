import { type LoginView, useLoginPanel } from '../../data/session/login-panel'

/** Switches the view of the open panel, and keeps the address to return to. */
export const showView = (view: LoginView): void => useLoginPanel.setState({ view })
