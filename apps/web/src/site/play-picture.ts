const wordMs = 45
const seenPart = 0.4

/** Writes the answer of the picture once it is seen, and again when asked; never for somebody who wants no motion. */
export function playPicture(): void {
  const frame = document.querySelector<HTMLElement>('.picture-frame')
  const again = document.querySelector<HTMLElement>('[data-play-again]')
  if (!frame || !again || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  const words = [...frame.querySelectorAll<HTMLElement>('[data-word]')]
  let writing: ReturnType<typeof setInterval> | undefined

  const play = (): void => {
    clearInterval(writing)
    for (const word of words) delete word.dataset.shown
    frame.dataset.playing = ''
    let next = 0
    writing = setInterval(() => {
      for (const word of words) delete word.dataset.newest
      const word = words[next++]
      if (!word) {
        clearInterval(writing)
        delete frame.dataset.playing
        return
      }
      word.dataset.shown = ''
      word.dataset.newest = ''
    }, wordMs)
  }

  again.hidden = false
  again.addEventListener('click', play)
  const seen = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return
      seen.disconnect()
      play()
    },
    { threshold: seenPart },
  )
  seen.observe(frame)
}
