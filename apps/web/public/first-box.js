// What a key does in the box of the first screen, from the first frame on: src/lib/first-screen.ts hands it to the app.
;(() => {
  const box = document.querySelector('[data-first-text]')
  if (!box) return
  /** Read when a key is pressed: the first read of the storage would hold up the first frame. */
  const isSendKey = ({ ctrlKey, metaKey }) => {
    try {
      return localStorage.getItem('parley-send-key') === 'mod-enter' ? ctrlKey || metaKey : true
    } catch {
      // Storage is denied: as for a first visit.
      return true
    }
  }
  box.addEventListener('input', () => {
    box.style.height = 'auto'
    box.style.height = `${box.scrollHeight}px`
  })
  box.addEventListener('compositionstart', () => {
    box.dataset.composing = ''
  })
  box.addEventListener('compositionend', () => delete box.dataset.composing)
  // Sent by the app, as soon as it is there.
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !isSendKey(event)) return
    event.preventDefault()
    if (box.value.trim() !== '') box.dataset.sent = ''
  })
})()
