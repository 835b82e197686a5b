import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import type { EntryState } from './location'
import { useIsShown, useNavigate } from './router'

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & {
  to: string
  replace?: boolean
  /** Read at the click. */
  state?: EntryState | (() => EntryState)
}

/** A link to a page of the app. With a modifier key, or another button, the browser opens it as it opens any. */
export function Link({ to, replace = false, state, onClick, ...rest }: Props) {
  const navigate = useNavigate()
  const isShown = useIsShown(to)
  const open = (event: MouseEvent<HTMLAnchorElement>): void => {
    onClick?.(event)
    const isForBrowser = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
    if (event.defaultPrevented || isForBrowser || (rest.target ?? '_self') !== '_self') return
    event.preventDefault()
    void navigate(to, { replace, state: typeof state === 'function' ? state() : (state ?? {}) })
  }
  return <a {...rest} href={to} aria-current={isShown ? 'page' : undefined} onClick={open} />
}
