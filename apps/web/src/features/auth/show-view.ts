import { type LoginView, useLoginPanel } from '../../data/session/login-panel'

/** Another view of the open panel: where the person wanted to go afterwards stays known. */
export const showView = (view: LoginView): void => useLoginPanel.setState({ view })
