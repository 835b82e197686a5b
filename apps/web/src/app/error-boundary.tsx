import { Component, type ReactNode } from 'react'
import { LastResortScreen } from './last-resort-screen'

type State = { failure: { error: unknown } | undefined }

/** Around everything, the router included. */
export class ErrorBoundary extends Component<{ children: ReactNode }, State> {
  override state: State = { failure: undefined }

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } }
  }

  override render() {
    return this.state.failure ? <LastResortScreen error={this.state.failure.error} /> : this.props.children
  }
}
