import '../../i18n/later-texts'
import { AppError, errorText } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { addFiles, addLink } from '../../data/channels/source-actions'
import { interfaceLanguage, t } from '../../i18n/interface-language'
import { whileAdding } from '../../lib/adding-sources'
import { byteText } from '../../lib/byte-text'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'
import type { Link } from './link-kind'

/** Why a file was not added, and the name it has. */
export type Refused = { name: string; why: string }
export type AddedFiles = { added: { id: string; isKnown: boolean }[]; refused: Refused[] }

/** Adds files to a chat; what cannot be read, or is too large, does not hold up the others. */
export async function addFilesTo(channelId: string, files: readonly File[]): Promise<AddedFiles> {
  const tooLarge = files.filter(({ size }) => size > limits.sources.maxFileBytes)
  const refused = tooLarge.map(({ name, size }) => ({ name, why: tooLargeText(size) }))
  const wanted = files.filter((file) => !tooLarge.includes(file))
  const results =
    wanted.length === 0
      ? []
      : await whileAdding(channelId, addFiles(channelId, wanted)).catch((error: unknown) => allFailed(wanted, error))
  const added = results.flatMap((result) =>
    'source' in result ? [{ id: result.source.id, isKnown: result.isKnown }] : [],
  )
  if (added.some(({ isKnown }) => !isKnown)) toast.success(t('sources.fileSent'))
  return {
    added,
    // Whoever cancelled an upload knows; its row says so as well.
    refused: [
      ...refused,
      ...results.flatMap((result) =>
        'error' in result && result.error.code !== 'source.cancelled' ? [refusalOf(result)] : [],
      ),
    ],
  }
}

/** Like addFilesTo, where there is no list in which a refusal could stand. */
export async function addFilesAloud(channelId: string, files: readonly File[]): Promise<void> {
  const { refused } = await addFilesTo(channelId, files)
  for (const { name, why } of refused) toast.error(t('sources.refused', { name, why }))
}

type FileResult = Awaited<ReturnType<typeof addFiles>>[number]

const allFailed = (files: readonly File[], error: unknown): FileResult[] =>
  files.map(({ name }) => ({
    name,
    error: error instanceof AppError ? error : new AppError('unknown', { cause: error }),
  }))

function tooLargeText(size: number): string {
  const language = interfaceLanguage()
  return t('sources.tooLarge', {
    size: byteText(size, language),
    limit: byteText(limits.sources.maxFileBytes, language),
  })
}

function refusalOf({ name, error }: { name: string; error: AppError }): Refused {
  const isKnown = error.code.startsWith('source.') || error.code.startsWith('storage.')
  return { name, why: isKnown ? errorText(error.code, interfaceLanguage()) : t('sources.sendFailed') }
}

/** Adds a website or video. Answers its source; undefined where it could not be, which a toast has said. */
export async function addLinkTo(
  channelId: string,
  { url, kind }: Link,
): Promise<{ id: string; isKnown: boolean } | undefined> {
  try {
    const { source, isKnown } = await whileAdding(channelId, addLink(channelId, url))
    if (!isKnown) toast.success(t(kind === 'video' ? 'sources.videoSent' : 'sources.websiteSent'))
    return { id: source.id, isKnown }
  } catch (error) {
    toast.error(errorMessage(error, interfaceLanguage()) ?? t('sources.contentFailed'))
    return undefined
  }
}
