import { version } from 'pdfjs-dist/package.json'

/**
 * Where the app serves what pdf.js asks for while it reads (apps/web/pdf-files.ts), with a slash at the end of each.
 */
export function pdfFiles(): { cMapUrl: string; standardFontDataUrl: string; wasmUrl: string } {
  const at = (folder: string): string => new URL(`/assets/pdfjs-${version}/${folder}/`, location.href).href
  return { cMapUrl: at('cmaps'), standardFontDataUrl: at('standard_fonts'), wasmUrl: at('wasm') }
}
