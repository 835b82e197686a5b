// Limits of sources that only what deals with sources needs: they are no part of the app's first load.

/** File names end so (ST-129), and so do those that people expect beside them. */
export const sourceExtensions = {
  specified: [
    ...['pdf', 'docx', 'pptx', 'odt', 'odp', 'jpg', 'jpeg', 'png', 'bmp', 'gif', 'tif', 'tiff', 'tex', 'txt'],
    'rtf',
  ],
  more: ['md', 'csv', 'xlsx', 'ods', 'html', 'htm', 'epub', 'eml', 'json', 'xml', 'yaml', 'yml', 'log', 'tsv', 'webp'],
  code: [
    ...['c', 'h', 'cpp', 'hpp', 'cs', 'css', 'go', 'java', 'js', 'jsx', 'kt', 'lua', 'mjs', 'php', 'pl', 'py'],
    ...['r', 'rb', 'rs', 'scala', 'sh', 'sql', 'swift', 'toml', 'ts', 'tsx', 'vue'],
  ],
} as const

/** Vectors for a device: of one call, in characters, a text and all of them. */
export const vectorLimits = { maxTexts: 64, maxTextLength: 8_000, maxCharacters: 120_000 } as const
