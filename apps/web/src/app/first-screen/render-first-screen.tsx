import { renderToStaticMarkup } from 'react-dom/server'
import { FirstScreen } from './first-screen'
import { firstTexts } from './first-texts'

/** Stands where all of the first screen has been read and is shown. */
const endId = 'first-screen-end'

/** The first screen in one language, with its texts. */
export type FirstVisit = { language: string; direction: 'ltr' | 'rtl'; screen: string }

type Rendered = {
  /** What stands in the page's root before the app. */
  screen: string
  /** Its texts, what shows it, and what its box does. */
  after: string
  /** Of what stands behind them. */
  endId: string
  /** The same with its texts, to be seen at once: in each language that a browser may prefer. */
  visits: FirstVisit[]
}

export function renderFirstScreen(): Rendered {
  const languages = firstTexts()
  // Nothing but its own end may end the data.
  const texts = JSON.stringify(languages).replaceAll('<', '\\u003c')
  return {
    screen: renderToStaticMarkup(<FirstScreen />),
    after: [
      `<script type="application/json" data-first-texts>${texts}</script>`,
      '<script src="/first-screen.js"></script>',
      '<script src="/first-box.js"></script>',
      `<template id="${endId}"></template>`,
    ].join(''),
    endId,
    visits: Object.entries(languages)
      .filter(([, { isAsked }]) => !isAsked)
      .map(([language, { direction, texts }]) => ({
        language,
        direction,
        screen: renderToStaticMarkup(<FirstScreen texts={texts} />),
      })),
  }
}
