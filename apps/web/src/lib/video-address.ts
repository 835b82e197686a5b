export const isVideo = (url: string | undefined): boolean =>
  url !== undefined && /^https?:\/\/([\w-]+\.)*(youtube\.com|youtu\.be|youtube-nocookie\.com)\//i.test(url)
