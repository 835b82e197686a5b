import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The manifest in each language but English, in which it is written: what a device says of the app that it installs.
 * For the build; `web`: the app's folder.
 */
export function manifests(web: string): { fileName: string; source: string }[] {
  const read = (...path: string[]) => JSON.parse(readFileSync(join(web, ...path), 'utf8'))
  const english = read('public/manifest.webmanifest')
  const languages = readdirSync(join(web, 'src/i18n'), { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'en-US',
  )
  return languages.map(({ name: language }) => {
    const t = (key: string): string => {
      const [subject = '', name = ''] = key.split('.')
      return read('src/i18n', language, `${subject}.json`)[name]
    }
    const manifest = {
      ...english,
      lang: language,
      description: t('install.description'),
      shortcuts: [t('shell.newChat'), t('shell.agents')].map((name, i) => ({ ...english.shortcuts[i], name })),
      screenshots: [t('install.pictureWide'), t('install.pictureNarrow')].map((label, i) => ({
        ...english.screenshots[i],
        label,
      })),
    }
    return { fileName: `manifest.${language}.webmanifest`, source: JSON.stringify(manifest) }
  })
}
