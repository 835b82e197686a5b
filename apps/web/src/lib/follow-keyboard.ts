/** Less is a bar of the browser that comes and goes. */
const leastKeyboardPx = 100

/**
 * Keeps the app above a phone's keyboard where that covers the page instead of making it smaller, as on iOS:
 * `--keyboard` is the height that is covered. Other browsers obey the page's `interactive-widget`, and nothing is
 * covered.
 */
export function followKeyboard(): void {
  const { visualViewport } = window
  if (!visualViewport) return
  const follow = (): void => {
    const covered = Math.round(innerHeight - visualViewport.height)
    // A page that is enlarged with two fingers shows less of itself too.
    const isKeyboard = covered >= leastKeyboardPx && Math.abs(visualViewport.scale - 1) < 0.01
    document.documentElement.style.setProperty('--keyboard', isKeyboard ? `${covered}px` : '0px')
    // The browser has moved the page up to show the field, which now stands above the keyboard by itself.
    if (isKeyboard && visualViewport.offsetTop > 0) scrollTo(0, 0)
  }
  visualViewport.addEventListener('resize', follow)
  follow()
}
