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
  invite: '/invite/$token',
} as const

/** What stands for a part that begins with `$`. */
const partPattern = '[\\w%-]+'
const pattern = new RegExp(`^(?:${Object.values(pages).join('|').replace(/\$\w+/g, partPattern)})/?$`)

/** Whether the app draws this path by itself. */
export const isPage = (path: string): boolean => pattern.test(path)
