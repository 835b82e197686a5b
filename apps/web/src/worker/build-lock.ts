const prefix = 'parley-build:'

/**
 * Held by each tab for as long as it lives, shared with all tabs of the same build. The browser releases it, however
 * the tab ends.
 */
export const buildLock = {
  nameOf: (build: string): string => `${prefix}${build}`,
  buildOf: (name: string | undefined): string | undefined =>
    name?.startsWith(prefix) ? name.slice(prefix.length) : undefined,
}
