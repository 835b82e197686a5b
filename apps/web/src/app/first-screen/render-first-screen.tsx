import { renderToStaticMarkup } from 'react-dom/server'
import { FirstScreen } from './first-screen'
import { firstTexts } from './first-texts'

/** `screen`: what stands in the page's root before the app. `after`: its texts, and what shows it. */
export function renderFirstScreen(): { screen: string; after: string } {
  // Nothing but its own end may end the data.
  const texts = JSON.stringify(firstTexts()).replaceAll('<', '\\u003c')
  return {
    screen: renderToStaticMarkup(<FirstScreen />),
    after: `<script type="application/json" data-first-texts>${texts}</script><script src="/first-screen.js"></script>`,
  }
}
