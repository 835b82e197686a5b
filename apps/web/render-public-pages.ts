import { readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Plugin, type Rolldown, runnerImport } from 'vite'
import { firstFonts } from './first-styles.ts'

const entry = /\/src\/site\/site\.ts$/

/**
 * Draws the pages that open without the app, with the names of the files that this build made, into `dist/site-pages`.
 */
export function renderPublicPages(): Plugin {
  return {
    name: 'parley-public-pages',
    apply: 'build',
    writeBundle: {
      sequential: true,
      async handler({ dir = '' }, bundle) {
        const files = Object.values(bundle)
        const script = files.find((file) => file.type === 'chunk' && entry.test(file.facadeModuleId ?? ''))
        if (script?.type !== 'chunk') throw new Error('the public pages have no script')
        // A module that the app has too would bring the app along.
        if (script.imports.length > 0)
          throw new Error(`the script of the public pages imports ${script.imports.join(', ')}`)
        const { module } = await runnerImport<typeof import('./src/site/render-site')>('/src/site/render-site.tsx', {
          root: import.meta.dirname,
        })
        const appPage = readFileSync(join(dir, 'index.html'), 'utf8')
        const to = join(dir, 'site-pages')
        await mkdir(to, { recursive: true })
        const inlined = { css: cssOf(script, files), themeScript: readFileSync(join(dir, 'theme-init.js'), 'utf8') }
        for (const { name, html } of module.renderSite({ ...siteFiles(script, files), inlined }, appPage))
          await writeFile(join(to, name), html)
      },
    },
  }
}

type Built = Rolldown.OutputChunk | Rolldown.OutputAsset

function cssOf(script: Rolldown.OutputChunk, files: Built[]): string {
  const names = script.viteMetadata?.importedCss ?? new Set()
  return files
    .flatMap((file) => (file.type === 'asset' && names.has(file.fileName) ? [String(file.source)] : []))
    .join('')
}

function siteFiles(script: Rolldown.OutputChunk, files: Built[]) {
  const address = (name: string): string => `/${name}`
  return {
    script: address(script.fileName),
    styles: [...(script.viteMetadata?.importedCss ?? [])].map(address),
    fonts: files
      .map(({ fileName }) => fileName)
      .filter((name) => firstFonts.test(name))
      .map(address),
  }
}
