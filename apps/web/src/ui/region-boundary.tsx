import { Component, type ReactNode } from 'react'
import { t } from '../i18n/interface-language'
import { Button } from './button'
import { EmptyState } from './empty-state'

type Props = {
  children: ReactNode
  /** With another one of these the region is tried again by itself: another address, another chat. */
  resetKey?: string | undefined
  /** What cannot be drawn is left out, rather than told in its place. */
  isQuiet?: boolean
}
type State = { hasFailed: boolean; resetKey: string | undefined }

/**
 * An error in one region of the page leaves the others as they are: what is being written, typed or read there goes on.
 */
export class RegionBoundary extends Component<Props, State> {
  override state: State = { hasFailed: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): State | null {
    return resetKey === state.resetKey ? null : { hasFailed: false, resetKey }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    if (this.props.isQuiet) return null
    const again = (
      <Button size="small" onClick={() => this.setState({ hasFailed: false })}>
        {t('shell.retry')}
      </Button>
    )
    return (
      <div role="alert">
        <EmptyState title={t('shell.regionFailed')} action={again} />
      </div>
    )
  }
}
