/**
 * The addresses of the app's pages, as its router has them. The server gives the app at these, and 404 at any other: a
 * page that is missing here cannot be reloaded.
 */
export const pages = {
  chat: '/app',
  about: '/about',
  settings: '/settings',
  account: '/account',
  profile: '/profile',
  login: '/login',
  resetPassword: '/reset-password',
  assistants: '/assistants',
  assistant: '/assistant/$assistantId',
  suiAssistants: '/sui-assistants',
  suiCreate: '/sui-assistant/create',
  suiEdit: '/sui-assistant/edit/$assistantId',
  invite: '/invite/$token',
} as const

/** Pages that are HTML by themselves and open without the app. The server gives them in the person's language. */
export const publicPages = {
  home: '/',
  roadmap: '/roadmap',
  maintenance: '/maintenance',
  terms: '/terms',
  privacy: '/privacy',
} as const

/** What search engines are told of. */
export const listedPages = [
  publicPages.home,
  pages.about,
  publicPages.roadmap,
  pages.assistants,
  pages.suiAssistants,
  publicPages.terms,
  publicPages.privacy,
] as const

/** What stands for a part that begins with `$`. */
const partPattern = '[\\w%-]+'
export const pagePattern = new RegExp(`^(?:${Object.values(pages).join('|').replace(/\$\w+/g, partPattern)})/?$`)

/** Whether the app draws this path by itself. */
export const isPage = (path: string): boolean => pagePattern.test(path)

/** Whether this path is a page of its own, without the app. */
export const isPublicPage = (path: string): boolean => Object.values<string>(publicPages).includes(path)

/**
 * Where the device posts what is shared with the installed app. The app's service worker takes it, so that it reaches
 * no server, and opens the page that puts it into a draft.
 */
export const shareTarget = { path: '/share', opens: `${pages.chat}?shared` } as const
