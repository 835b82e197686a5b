// Parts of the app that come with their first use. A network that is away for a moment must not take the page with it:
// React gives up a lazy component for good at its first failure, and what it gives up ends at the screen of last
// resort.

import {
  type ComponentType,
  createElement,
  type FunctionComponent,
  type LazyExoticComponent,
  lazy,
  useState,
} from 'react'
import { t } from '../i18n/interface-language'
import { reloadApp } from '../lib/reload-app'
import { reloadToast, toast } from './toast-store'

export const retryMs = { first: 500, longest: 10_000 }
/** By then it is hardly the network: a newer version may have taken the place of this one's files. */
export const triesBeforeReload = 6

/**
 * The module that `load` imports, as soon as it can be had: what fails is tried again, at growing distances and when
 * the browser says that it is online. Never rejects. `onFailure` hears how often it has failed.
 */
export async function loadPart<T>(load: () => Promise<T>, onFailure?: (failures: number) => void): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      const part = await load()
      await loadMissingStyles()
      return part
    } catch {
      onFailure?.(failures)
      await nextTry(Math.min(retryMs.first * 2 ** (failures - 1), retryMs.longest))
    }
  }
}

/**
 * A component that somebody asked for, and who is told when it has to wait. Once loaded it waits for `before`, which
 * must not reject, and is shown then.
 */
export function lazyPart<P>(
  load: () => Promise<{ default: ComponentType<P> }>,
  before?: () => Promise<void>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    const part = await loadPart(load, tellOfFailure)
    await before?.()
    return part
  })
}

/** A component that the page gets along without, until it is there. */
export function lazyExtra<P>(
  load: () => Promise<{ default: ComponentType<P> }>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(() => loadPart(load))
}

/**
 * As `lazyExtra`, for what can be loaded before it is shown: what is there already is drawn at once. Otherwise React
 * would draw what stands in its place first, and often leave that there for 300 ms.
 */
export function preloadableExtra<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
): { Part: FunctionComponent<P>; preload: () => Promise<void> } {
  let loaded: ComponentType<P> | undefined
  let loading: Promise<{ default: ComponentType<P> }> | undefined
  const begin = (): Promise<{ default: ComponentType<P> }> => {
    loading ??= loadPart(load).then((part) => {
      loaded = part.default
      return part
    })
    return loading
  }
  const Lazy = lazy(begin)
  return {
    // biome-ignore lint/correctness/noComponentHookFactories: as `lazy`, it is called once for each module
    Part: function Preloadable(props) {
      // The same for as long as it is shown: another one would begin anew.
      const [Shown] = useState<ComponentType<P>>(() => loaded ?? (Lazy as ComponentType<P>))
      return createElement(Shown, props)
    },
    preload: async () => void (await begin()),
  }
}

let isOutdated = false

/** The files of this page's version are gone: a part that fails now will not come by itself. */
export function markAppOutdated(): void {
  isOutdated = true
}

export function tellOfFailure(failures: number): void {
  if (failures === 1 && !isOutdated) toast.error(t('shell.partWaits'))
  if (failures === (isOutdated ? 1 : triesBeforeReload))
    void reloadToast(t('shell.partMissing')).then((agreed) => (agreed ? reloadApp() : undefined))
}

const nextTry = (afterMs: number): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      clearTimeout(timer)
      removeEventListener('online', go)
      resolve()
    }
    const timer = setTimeout(go, afterMs)
    addEventListener('online', go)
  })

/** Addresses of style sheets that failed. A link does not tell: browsers give it an empty sheet. */
const missingStyles = new Set<string>()

addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') missingStyles.add(target.href)
  },
  true,
)

/**
 * Vite asks for the style sheets of a module once only: without this, a module whose sheet failed would come without
 * it.
 */
async function loadMissingStyles(): Promise<void> {
  await Promise.all([...missingStyles].map(loadStyle))
}

const loadStyle = (href: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href })
    link.onload = () => {
      missingStyles.delete(href)
      resolve()
    }
    link.onerror = () => {
      link.remove()
      reject(new Error(`no style sheet ${href}`))
    }
    document.head.append(link)
  })
