// What the journeys of sources share: files, the dialog that adds them, and what an answer cites.
import type { Locator, Page } from '@playwright/test'
import type { GatewayRequest, GatewayStandIn } from '../apps/server/src/testing/gateway-stand-in'
import { pdfOf, prose } from '../packages/reader/src/testing/pdf-bytes'
import { expect } from './journey'

export type GivenFile = { name: string; mimeType: string; buffer: Buffer }

export const text = (name: string, content: string): GivenFile => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(content),
})

/** A handbook that no third of a window holds: one of its pages says what is asked. */
export function handbook(pageCount: number, factPage: number, fact: string): GivenFile {
  const filler = (page: number, line: number): string =>
    `Paragraph ${page}.${line} describes tool ${page * 37 + line * 11}, its shelf ${line} and the care that it needs in week ${page}.`
  const pages = Array.from({ length: pageCount }, (_, index) => {
    const lines = Array.from({ length: 24 }, (__, line) => filler(index + 1, line + 1))
    return prose(index + 1 === factPage ? [...lines.slice(0, 10), fact, ...lines.slice(11)] : lines)
  })
  return { name: 'handbook.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdfOf(pages)) }
}

export const sourcesBar = (page: Page) => page.getByRole('region', { name: 'Sources of this chat' })
export const addDialog = (page: Page) => page.getByRole('dialog', { name: 'Add sources' })
export const manageDialog = (page: Page) => page.getByRole('dialog', { name: 'Data management' })
/** A source beside the chat; on a phone over it. */
export const panel = (page: Page, name: string) =>
  page.getByRole('complementary', { name }).or(page.getByRole('dialog', { name }))
export const chip = (answer: Locator, n: number) => answer.getByRole('button', { name: `Source ${n}`, exact: true })
/** What was added with the last question. */
export const sentFiles = (page: Page) => page.getByRole('list', { name: 'Added with the question' }).last()

/** Adds files, and goes back to the box. */
export async function addFiles(page: Page, ...files: GivenFile[]): Promise<void> {
  await page.getByRole('button', { name: 'Add sources' }).click()
  const dialog = addDialog(page)
  const choosing = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Select' }).click()
  await (await choosing).setFiles(files)
  for (const { name } of files) await expect(dialog.getByText(name)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

/** Opens the dialog of sources, chooses files in it, and goes back to the box, as a person does who uses no mouse. */
export async function addByKeyboard(page: Page, file: GivenFile): Promise<void> {
  await page.getByRole('button', { name: 'Add sources' }).focus()
  await page.keyboard.press('Enter')
  const dialog = addDialog(page)
  // The field for links has the focus first.
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  // On a phone it stands between.
  if (await dialog.getByRole('button', { name: 'Camera' }).isVisible()) await page.keyboard.press('Shift+Tab')
  const select = dialog.getByRole('button', { name: 'Select' })
  await expect(select).toBeFocused()
  const choosing = page.waitForEvent('filechooser')
  // Without a window of its own, the browser does not always open one for a key.
  await select.click()
  await (await choosing).setFiles(file)
  await expect(dialog.getByText(file.name)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Add sources' })).toBeFocused()
}

/** For the chats that begin from now on. */
export async function chooseCloud(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Where the chat is kept/ }).click()
  await page.getByRole('menuitem', { name: 'In the cloud' }).click()
}

const questionOf = (request: GatewayRequest | undefined): string => request?.body.messages.at(-1)?.content ?? ''

/** The latest question as the model is asked it, with what was read. */
export const askedOf = ({ requests }: Pick<GatewayStandIn, 'requests'>): string => questionOf(requests.at(-1))

/** By which number the model knows the passage that says something; NaN where none does. */
export function numberOf(prompt: string, said: string): number {
  const before = prompt.split(said, 2)
  return before.length < 2 ? Number.NaN : Number(/\[(\d+)\](?!.*\[\d+\])/s.exec(before[0] ?? '')?.[1])
}

/** An answer that cites passages by the numbers that its question has given them. */
export const citing =
  (answer: (numberOf: (said: string) => number) => string) =>
  (request: GatewayRequest): { text: string } => ({ text: answer((said) => numberOf(questionOf(request), said)) })
