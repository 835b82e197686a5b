import type { FontSource } from '@parley/pdf/render-channel-pdf'

/** The build URL of each font file. A document fetches only the fonts that its characters need. */
const addresses: Record<string, string> = {
  ...import.meta.glob<string>(
    '../../../../../node_modules/@fontsource/noto-sans/files/*-{400,700}-{normal,italic}.woff',
    {
      query: '?url',
      import: 'default',
      eager: true,
    },
  ),
  ...import.meta.glob<string>('../../../../../node_modules/@fontsource/noto-sans-mono/files/*-{400,700}-normal.woff', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob<string>('../../../../../node_modules/@fontsource/noto-sans-sc/files/*-400-normal.woff', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
  ...import.meta.glob<string>('../../../../../node_modules/@fontsource/noto-emoji/files/*-400-normal.woff', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
}

const byFile: ReadonlyMap<string | undefined, string> = new Map(
  Object.entries(addresses).map(([path, address]) => [path.split('/@fontsource/')[1], address]),
)

export function browserFonts(fetchFile: (address: string) => Promise<Uint8Array>): FontSource {
  return (file) => {
    const address = byFile.get(file)
    return address === undefined ? Promise.reject(new Error(`no font ${file}`)) : fetchFile(address)
  }
}
