export const isVideo = (url: string | undefined): boolean =>
  url !== undefined && /^https?:\/\/([\w-]+\.)*(youtube\.com|youtu\.be|youtube-nocookie\.com)\//i.test(url)

/** A video's address with the moment at which a passage is said; of other addresses the address itself. */
export function addressAt(url: string, page: number | undefined): string {
  if (!isVideo(url) || page === undefined || page <= 1 || !URL.canParse(url)) return url
  const at = new URL(url)
  // The page is the second at which it is said, plus one.
  at.searchParams.set('t', `${page - 1}s`)
  return at.href
}
