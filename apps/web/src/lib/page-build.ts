/** The build that this page is of; undefined where it was not built. */
export const pageBuild = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name="parley-build"]')?.content || undefined
