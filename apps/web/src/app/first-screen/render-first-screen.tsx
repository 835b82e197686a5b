import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { FirstScreen } from './first-screen'
import { firstTexts } from './first-texts'
import { withOnePathIcons } from './one-path-icons'

/** Stands where all of the first screen has been read and is shown. */
const endId = 'first-screen-end'
const endOfScreen = `<template id="${endId}"></template>`

/** The first screen in one language, with its texts. */
export type FirstVisit = { language: string; direction: 'ltr' | 'rtl'; screen: string }

type Rendered = {
  /** What stands in the page's root before the app. */
  screen: string
  /** Its texts, what shows it, and what its box does. */
  after: string
  /** The element that stands behind them, and its id. */
  endOfScreen: string
  endId: string
  /** The same with its texts, to be seen at once: in each language that a browser may prefer. */
  visits: FirstVisit[]
}

const drawn = (screen: ReactElement): string => withOnePathIcons(renderToStaticMarkup(screen))

export function renderFirstScreen(): Rendered {
  const languages = firstTexts()
  // Nothing but its own end may end the data.
  const texts = JSON.stringify(languages).replaceAll('<', '\\u003c')
  return {
    screen: drawn(<FirstScreen />),
    after: [
      `<script type="application/json" data-first-texts>${texts}</script>`,
      '<script src="/first-screen.js"></script>',
      '<script src="/first-box.js"></script>',
      endOfScreen,
    ].join(''),
    endOfScreen,
    endId,
    visits: Object.entries(languages)
      .filter(([, { isAsked }]) => !isAsked)
      .map(([language, { direction, texts }]) => ({
        language,
        direction,
        screen: drawn(<FirstScreen texts={texts} />),
      })),
  }
}
