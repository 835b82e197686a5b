import { create } from 'zustand'

export type LoginView = 'sign-in' | 'register' | 'recover'

type State = { view: LoginView | undefined; returnTo: string | undefined }

/** The open view of the sign-in panel. The shell draws it; any feature that needs a signed-in person opens it. */
export const useLoginPanel = create<State>(() => ({ view: undefined, returnTo: undefined }))

/** `returnTo`: an address of this app to go to after the sign-in. */
export function openLoginPanel(view: LoginView = 'sign-in', options: { returnTo?: string } = {}): void {
  useLoginPanel.setState({ view, returnTo: options.returnTo })
}

export function closeLoginPanel(): void {
  useLoginPanel.setState({ view: undefined, returnTo: undefined })
}
