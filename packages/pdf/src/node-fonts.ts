import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { FontSource } from './render-channel-pdf'

const require = createRequire(import.meta.url)

/** Fonts from the installed packages. */
export const nodeFonts: FontSource = (file) => {
  const [name = '', ...rest] = file.split('/')
  return readFile(join(dirname(require.resolve(`@fontsource/${name}/package.json`)), ...rest))
}
