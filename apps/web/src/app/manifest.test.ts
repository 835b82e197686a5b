import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '@parley/contract/languages'
import { isPage, shareTarget } from '@parley/contract/pages'
import { expect, it } from 'vitest'
import indexHtml from '../../index.html?raw'
import english from '../i18n/en-US/install.json'
import shell from '../i18n/en-US/shell.json'
import { manifests } from '../i18n/manifests'
import { ShareInbox } from '../worker/share-inbox'

const publicFile = (path: string): string => join(import.meta.dirname, '../../public', path)
type Picture = { src: string; sizes: string; type: string }
type Manifest = {
  start_url: string
  description: string
  shortcuts: { name: string; url: string; icons: Picture[] }[]
  icons: Picture[]
  screenshots: (Picture & { form_factor: string; label: string })[]
  share_target: {
    action: string
    method: string
    enctype: string
    params: { title: string; text: string; url: string; files: { name: string }[] }
  }
  file_handlers: { action: string; accept: Record<string, string[]> }[]
}
const manifest: Manifest = JSON.parse(readFileSync(publicFile('/manifest.webmanifest'), 'utf8'))

it('what the manifest leads to is there: pages of the app, pictures of the size that it says', () => {
  expect(indexHtml).toContain('<link rel="manifest" href="/manifest.webmanifest" />')
  const addresses = [
    manifest.start_url,
    ...manifest.shortcuts.map(({ url }) => url),
    ...manifest.file_handlers.map(({ action }) => action),
  ]
  for (const address of addresses) expect(isPage(address), address).toBe(true)
  for (const { src } of [...manifest.icons, ...manifest.shortcuts.flatMap(({ icons }) => icons)])
    expect(existsSync(publicFile(src)), src).toBe(true)
  expect(manifest.screenshots.map(({ form_factor }) => form_factor)).toEqual(['wide', 'narrow'])
  for (const { src, sizes } of manifest.screenshots)
    expect([src, sizeOfWebp(readFileSync(publicFile(src)))]).toEqual([src, sizes])
})

it('what is shared arrives under the names that the manifest tells the system', async () => {
  const { action, method, enctype, params } = manifest.share_target
  expect([action, method, enctype]).toEqual([shareTarget.path, 'POST', 'multipart/form-data'])
  const body = new FormData()
  for (const name of ['title', 'text', 'url'] as const) body.set(params[name], `the ${name}`)
  body.set(params.files[0]?.name ?? '', new File(['content'], 'notes.txt'))
  const inbox = new ShareInbox()
  await inbox.put({ formData: async () => body } as unknown as Request)
  expect(inbox.take()).toMatchObject({
    title: 'the title',
    text: 'the text',
    url: 'the url',
    files: [{ name: 'notes.txt' }],
  })
})

it('the files that the app opens are those that it imports', () => {
  const endings = manifest.file_handlers.flatMap(({ accept }) => Object.values(accept).flat())
  expect(endings.sort()).toEqual(['.json', '.zip'])
})

it('the device says what it installs in each language, and leads to the same places', () => {
  const texts = [english.description, shell.newChat, shell.agents, english.pictureWide, english.pictureNarrow]
  expect(textsOf(manifest)).toEqual(texts)
  const others = manifests(join(import.meta.dirname, '../..'))
  expect(others.map(({ fileName }) => fileName)).toEqual(
    languages
      .filter((tag) => tag !== 'en-US')
      .sort()
      .map((tag) => `manifest.${tag}.webmanifest`),
  )
  for (const { fileName, source } of others) {
    const other: Manifest = JSON.parse(source)
    for (const [i, text] of textsOf(other).entries()) expect([fileName, text]).not.toEqual([fileName, texts[i]])
    expect(placesOf(other)).toEqual(placesOf(manifest))
  }
})

const textsOf = ({ description, shortcuts, screenshots }: Manifest) => [
  description,
  ...shortcuts.map(({ name }) => name),
  ...screenshots.map(({ label }) => label),
]
const placesOf = ({ share_target, file_handlers, shortcuts, screenshots }: Manifest) => [
  share_target,
  file_handlers,
  shortcuts.map(({ url }) => url),
  screenshots.map(({ src }) => src),
]

/** Of an extended file, whose head has the size less one. */
function sizeOfWebp(bytes: Buffer): string {
  expect(bytes.toString('latin1', 12, 16)).toBe('VP8X')
  return `${bytes.readUIntLE(24, 3) + 1}x${bytes.readUIntLE(27, 3) + 1}`
}
