import { readFileSync } from 'node:fs'
import { minifySync } from 'vite'

/** The code of a file, ready to stand inside a page. */
export function minified(file: string): string {
  const code = readFileSync(file, 'utf8')
  if (code.includes('</script')) throw new Error(`${file} would end its element`)
  return minifySync(file, code).code
}

export const inlineScript = (file: string): string => `<script>${minified(file)}</script>`
