// The app's page as the server gives it to a browser that has not been here: nothing is stored that could change what
// it shows, so that it is painted before any script of it has run.
import { join } from 'node:path'
import { inlineScript, minified } from '../inline-script.ts'
import type { FirstVisit } from '../src/app/first-screen/render-first-screen'

const publicFile = (name: string): string => join(import.meta.dirname, '../public', name)

/** What the page of other visits runs before its first paint: theme, what helps a failed start, first screen. */
const blocking = ['theme-init.js', 'start-guard.js', 'first-screen.js'].map(publicFile)
const fontLinks = /<link rel="preload" as="font"[^>]*>\s*/g
const placeOfScripts = 'globalThis.SCRIPTS()'

/** What of the page is shown, and the element behind which nothing is waited for. */
type FirstScreen = { screen: string; endOfScreen: string }

/** `page`: the app's page, whose screen has no texts yet. Throws where it is not as it has to be. */
export function firstVisitPage(page: string, { screen, endOfScreen }: FirstScreen, visit: FirstVisit): string {
  const { language, direction } = visit
  const startsApp = inlineScript(publicFile('start-app.js'))
  const after = minified(join(import.meta.dirname, 'after-paint.js'))
  if (!after.includes(placeOfScripts)) throw new Error('the scripts of a first visit have no place')
  const scripts = blocking.map(minified).join('')
  let made = replaced(page, /<html lang="[^"]*">/, `<html lang="${language}" dir="${direction}">`)
  // Nothing but what is shown comes before the first paint.
  made = replaced(made, endOfScreen, '')
  // A browser looks for what to fetch in all of the page that it has, before it reads any of it.
  const fonts = made.match(fontLinks)?.join('') ?? ''
  made = replaced(made, fontLinks, '')
  made = replaced(made, `${screen}</div>`, `${visit.screen}</div>${endOfScreen}${fonts}`)
  for (const file of blocking) made = replaced(made, inlineScript(file), '')
  made = replaced(
    made,
    '</style>',
    `@media (prefers-color-scheme:dark){:root:not([data-theme]){${darkOf(page)}}}</style>`,
  )
  made = replaced(made, startsApp, '')
  made = replaced(made, '<body', '<body data-first-visit')
  // A script that stands in the page is run before the frame that it could change, unless it is an asynchronous module.
  const box = minified(publicFile('first-box.js'))
  const later = [box, after.replace(placeOfScripts, () => scripts), minified(publicFile('start-app.js'))]
  return replaced(
    made,
    inlineScript(publicFile('first-box.js')),
    `<script type="module" async>${later.join('')}</script>`,
  )
}

/** What the dark theme says, which a script chooses in other visits. */
function darkOf(page: string): string {
  const [, dark] = /\[data-theme=dark\]\{([^{}]+)\}/.exec(page) ?? []
  if (dark === undefined) throw new Error("the app's page has no dark theme")
  return dark
}

function replaced(page: string, what: string | RegExp, by: string): string {
  const made = page.replace(what, () => by)
  if (made === page) throw new Error(`the app's page has no ${what}`)
  return made
}
