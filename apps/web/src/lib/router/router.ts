// Which screen the address shows. Written here instead of taken from a library: what the app needs of one is this file
// and its neighbours, and the smallest library that has as much would be a sixth of the first load.

import { type ComponentType, createContext, useCallback, useContext, useSyncExternalStore } from 'react'
import { type Location, type NavigateOptions, paramsOf, readLocation, writeLocation } from './location'

/** A screen, and the load of its code where it comes with its first visit. */
export type Screen = { component?: ComponentType; load?: () => Promise<void> }

/** What a route says of its page to what stands around it. */
export type PageData = {
  /** What is around a page depends on it: the chat's title and tools, what the sidebar marks, the window's title. */
  area?: 'chat' | 'agents' | 'settings' | 'about' | 'invitation' | 'reset'
  /** Also while this device's chats are sealed: nothing of theirs is on the page. */
  isOpenWhileLocked?: boolean
  /** Of an address that is a list of agents by itself. wallets: agents that wallets have signed. */
  agentList?: 'all' | 'wallets'
  /** Without the sidebar and whatever else stands around the other pages. */
  isBare?: boolean
}

export type Route = PageData & {
  /** `$name` stands for any one part. `*`: every address that no other route has. */
  path: string
} & (
    | {
        screen: Screen
        /** Shown by that screen, over what it shows by itself. */
        over?: Screen
      }
    /** Where the address leads instead. It may say why. */
    | { leadsTo: () => string }
  )

type Shown = {
  location: Location
  route: Exclude<Route, { leadsTo: unknown }>
  params: Readonly<Record<string, string>>
  /** The code of the screen is still being loaded. */
  isComing: boolean
}

export type Router = ReturnType<typeof createRouter>

/** A screen whose code takes longer is announced; until then the page before it stays. */
const comingAfterMs = 1_000

export function createRouter(routes: readonly Route[]) {
  const listeners = new Set<() => void>()
  let shown: Shown | undefined
  /** Of the latest navigation; an earlier one whose screen comes later shows nothing. */
  let wanted = 0

  const show = (next: Shown): void => {
    shown = next
    for (const listener of listeners) listener()
  }

  /** Shows what the address bar has, once its screen is there. */
  const follow = async (): Promise<void> => {
    const own = ++wanted
    const found = settle(routes)
    const loads = [found.route.screen, found.route.over].flatMap((screen) =>
      screen?.load && !screen.component ? [screen.load()] : [],
    )
    if (loads.length === 0) return show({ ...found, isComing: false })
    const timer = setTimeout(() => own === wanted && show({ ...found, isComing: true }), comingAfterMs)
    await Promise.all(loads)
    clearTimeout(timer)
    if (own === wanted) show({ ...found, isComing: false })
  }

  const onPop = (): void => void follow()
  return {
    routes,
    /** Resolves when the first screen can be shown. */
    start: (): Promise<void> => {
      addEventListener('popstate', onPop)
      return follow()
    },
    stop: (): void => removeEventListener('popstate', onPop),
    /** Resolves when the screen of the address is shown, or another navigation has taken the place of this one. */
    navigate: (href: string, options?: NavigateOptions): Promise<void> => {
      writeLocation(href, options)
      return follow()
    },
    back: (): void => history.back(),
    subscribe: (listener: () => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Throws before `start` has resolved. */
    shown: (): Shown => {
      if (!shown) throw new Error('the router has not started')
      return shown
    },
  }
}

/** The page of the address, after all that leads elsewhere. */
function settle(routes: readonly Route[]): Omit<Shown, 'isComing'> {
  // A route that leads to itself is a fault of the table, and would otherwise hang the page.
  for (let hops = 0; hops <= routes.length; hops++) {
    const location = readLocation()
    const found = matchOf(routes, location.pathname)
    if (!('leadsTo' in found.route)) return { location, route: found.route, params: found.params }
    writeLocation(found.route.leadsTo(), { replace: true })
  }
  throw new Error(`${window.location.pathname} leads nowhere`)
}

function matchOf(routes: readonly Route[], pathname: string): { route: Route; params: Record<string, string> } {
  for (const route of routes) {
    const params = route.path === '*' ? {} : paramsOf(route.path, pathname)
    if (params) return { route, params }
  }
  throw new Error(`no route for ${pathname}`)
}

export const RouterContext = createContext<Router | undefined>(undefined)

export function useRouter(): Router {
  const router = useContext(RouterContext)
  if (!router) throw new Error('outside of the router')
  return router
}

/** `select` gives a primitive, or an object that stays the same while the page does. */
function useShown<T>(select: (shown: Shown) => T): T {
  const router = useRouter()
  return useSyncExternalStore(router.subscribe, () => select(router.shown()))
}

/** The address of the page that is shown. While the code of another one is loaded, the page before it is. */
export function useLocation<T>(select: (location: Location) => T): T {
  return useShown(({ location }) => select(location))
}

/** What the route of the page says of it. */
export function usePageData<Key extends keyof PageData>(key: Key): PageData[Key] {
  return useShown(({ route }) => route[key])
}

/** The value of a part of the address; empty where it has none of that name. */
export function useParam(name: string): string {
  return useShown(({ params }) => params[name] ?? '')
}

/** Shows another page. The promise resolves when it is shown. */
export function useNavigate(): Router['navigate'] {
  return useRouter().navigate
}

/** The screen of the page, or the one that is shown over it; undefined while its code is loaded. */
export function useScreen(which: 'screen' | 'over'): { component: ComponentType | undefined; isComing: boolean } {
  const component = useShown(({ route }) => route[which]?.component)
  const isComing = useShown((shown) => shown.isComing && shown.route[which] !== undefined)
  return { component, isComing }
}

/** Whether the page that is shown is that of an address: the same path, with at least its query and its fragment. */
export function useIsShown(href: string): boolean {
  const isShown = useCallback(
    (location: Location) => {
      const [, path, search = '', hash = ''] = /^([^?#]*)(\?[^#]*)?(?:#(.*))?$/.exec(href) ?? []
      const has = new URLSearchParams(location.search)
      const hasQuery = [...new URLSearchParams(search)].every(([name, value]) => has.get(name) === value)
      return location.pathname === path && hasQuery && (hash === '' || location.hash === hash)
    },
    [href],
  )
  return useLocation(isShown)
}
