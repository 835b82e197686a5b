// A language that nobody speaks, made of the English texts while the tests run: what is not in it was never a text, and
// what it does not fit into is too narrow.
import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Page } from '@playwright/test'
import { errorCatalogue } from '../packages/contract/src/error-catalogue'

type Texts = { [key: string]: string | Texts }

const folder = new URL('../apps/web/src/i18n/en-US/', import.meta.url)
const english: Texts = {}
// Some subjects have texts that come later.
for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((each) =>
  each.endsWith('.json'),
)) {
  const subject = basename(path, '.json')
  const texts = JSON.parse(readFileSync(new URL(path, folder), 'utf8')) as Texts
  english[subject] = Object.assign(english[subject] ?? {}, texts)
}

const from = 'aceginosuyACDEGIJLNORSTUYZ'
const to = 'åçéĝîñöšûýÅÇÐÉĜÎĴĻÑÖŔŠŢÛÝŽ'
const accented = (text: string): string => text.replace(/[a-zA-Z]/g, (letter) => to[from.indexOf(letter)] ?? letter)

const numbers = ' ôné ţŵö ţĥŕéé ƒöûŕ ƒîṽé šîẋ šéṽéñ'.repeat(20)

/** Between brackets, accented, and 40 % longer, by words that may break: variables and tags stay as they are. */
function pseudo(text: string): string {
  const letters = text.replace(/\{\{\w+\}\}|<\/?b>/g, '').length
  const longer = numbers.slice(0, Math.ceil(letters * 0.4)).trimEnd()
  const written = text.split(/(\{\{\w+\}\}|<\/?b>)/).map((part, place) => (place % 2 === 0 ? accented(part) : part))
  // A text that ends with a line is put before what a person writes.
  return `⟦${written.join('')}${longer}⟧`
}

const pseudoOf = (texts: Texts): Texts =>
  Object.fromEntries(
    Object.entries(texts).map(([key, text]) => [key, typeof text === 'string' ? pseudo(text) : pseudoOf(text)]),
  )

/** How the pseudo-language says a text. */
export function said(key: string): string {
  const text = key
    .split('.')
    .reduce<Texts | string | undefined>((texts, part) => (typeof texts === 'object' ? texts[part] : undefined), english)
  if (typeof text !== 'string') throw new Error(`There is no text ${key}.`)
  return pseudo(text)
}

const errors = Object.fromEntries(Object.entries(errorCatalogue).map(([code, { message }]) => [code, pseudo(message)]))
/** Its plurals are those of English, and those of Filipino. */
export const tag = 'fil-PH'

/**
 * From the next load on the page speaks it: each file of texts is answered by this one. It is in no build and in no
 * list.
 */
export async function speakPseudo(page: Page): Promise<void> {
  const body = `export default ${JSON.stringify(pseudoOf(english))}\nexport const errors = ${JSON.stringify(errors)}`
  await page.route(/\/assets\/texts-[^/]*\.js$/, (route) => route.fulfill({ contentType: 'text/javascript', body }))
  await page.goto(`${page.url().split('#')[0]}?lang=${tag}`)
}

/** For pages that the server writes: as much longer as the pseudo-language, in the page as it stands. */
export async function lengthenTexts(page: Page): Promise<void> {
  await page.evaluate((longer) => {
    for (const name of ['aria-label', 'alt', 'title'])
      for (const element of document.querySelectorAll(`body [${name}]`))
        element.setAttribute(name, `⟦${element.getAttribute(name)}⟧`)
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts: Text[] = []
    for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node instanceof Text) texts.push(node)
    for (const text of texts) {
      const words = text.data.trim()
      if (words === '' || words === 'Parley' || text.parentElement?.closest('script, style')) continue
      text.data = text.data.replace(
        words,
        () => `⟦${words}${longer.slice(0, Math.ceil(words.length * 0.4)).trimEnd()}⟧`,
      )
    }
  }, numbers)
}
