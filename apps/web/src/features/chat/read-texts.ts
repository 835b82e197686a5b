import '../../i18n/later-texts'
import type { FilePart } from '@parley/contract/parts'
import { isNothingFound } from '@parley/contract/sent-sources'
import type { Translate } from '../../i18n/interface-language'
import { pagesUnit } from '../../lib/pages-unit'
import { isWebPage } from '../../lib/source-place'

/** What an answer has read: whole documents first, then passages, then pictures and pages of the web. */
export function readTexts(read: readonly FilePart[], t: Translate): string[] {
  const files = read.filter((part) => !isWebPage(part.url) && !isNothingFound(part))
  const readAs = (reading: FilePart['reading']) => files.filter((file) => file.reading === reading)
  const count = read.filter(({ url }) => isWebPage(url)).length
  const wholeText = ({ name, pages, mediaType }: FilePart): string => {
    if (mediaType.startsWith('image/')) return t('sources.readPictureText', { name })
    return pages && pagesUnit(mediaType) === 'pages'
      ? t('sources.readPages', { name, count: pages })
      : t('sources.readAll', { name })
  }
  const passagesText = ({ name, mediaType, sent = 0, of = 0 }: FilePart): string =>
    mediaType.startsWith('image/') && of === 0
      ? t('sources.readNothing', { name })
      : t('sources.readPassages', { name, sent, count: of })
  return [
    ...readAs('whole').map(wholeText),
    ...readAs('passages').map(passagesText),
    ...readAs('picture').map(({ name }) => t('sources.readPicture', { name })),
    ...(count > 0 ? [t('sources.readWeb', { count })] : []),
    ...(read.some(isNothingFound) ? [t('webSearch.nothing')] : []),
  ]
}
