import { renderToStaticMarkup } from 'react-dom/server'
import { FirstScreen } from './first-screen'
import { firstTexts } from './first-texts'

/** Stands where all of the first screen has been read and is shown. */
const endId = 'first-screen-end'

/**
 * `screen`: what stands in the page's root before the app. `after`: its texts, and what shows it. `endId`: of what
 * stands behind them.
 */
export function renderFirstScreen(): { screen: string; after: string; endId: string } {
  // Nothing but its own end may end the data.
  const texts = JSON.stringify(firstTexts()).replaceAll('<', '\\u003c')
  return {
    screen: renderToStaticMarkup(<FirstScreen />),
    after: [
      `<script type="application/json" data-first-texts>${texts}</script>`,
      '<script src="/first-screen.js"></script>',
      `<template id="${endId}"></template>`,
    ].join(''),
    endId,
  }
}
