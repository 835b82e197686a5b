// The flow of exporting and importing all chats around data/transfer, whose code is loaded with the first use.
import '../../i18n/later-texts'
import { webLimits } from '@parley/contract/limits/web'
import type { Translate } from '../../i18n/interface-language'
import { downloadBlob } from '../../lib/download'
import { errorMessage } from '../../lib/error-message'
import { confirmToast, toast } from '../../ui/toast'
import { channelDialog, type Transfer } from './channel-dialog-state'

type Context = { t: Translate; language: string }

/** A transfer that ends within this time shows no dialog, which would only flash. */
const dialogDelayMs = 400

export async function exportAllChats({ t, language }: Context): Promise<void> {
  const dialog = transferDialog(t('channels.exportAllTitle'), t('channels.exportAllHint'), 'chats')
  try {
    const { exportChannels } = await import('../../data/transfer/export-channels')
    const { blob, fileName, count } = await exportChannels(dialog.onProgress, dialog.signal)
    dialog.close()
    downloadBlob(blob, fileName)
    toast.success(t('channels.exportDone', { count }))
  } catch (error) {
    if (dialog.signal.aborted) toast.info(t('channels.exportCancelled'))
    else
      toast.error(t('channels.exportAllFailed', { message: errorMessage(error, language) ?? t('channels.unexpected') }))
  } finally {
    dialog.close()
  }
}

export async function importChats(file: File, { t, language }: Context): Promise<void> {
  const dialog = transferDialog(t('channels.importTitle'), t('channels.importHint'), 'bytes')
  const confirm = async (count: number): Promise<boolean> => {
    // The confirmation is a toast, which the modal progress dialog would cover.
    dialog.close()
    const agreed = await confirmToast({ message: t('channels.confirmImport', { count }) })
    if (agreed) dialog.openSoon()
    else dialog.cancel()
    return agreed
  }
  try {
    const { importChannels } = await import('../../data/transfer/import-channels')
    const { channelsImported, skipped, errors } = await importChannels(file, {
      confirm,
      onProgress: dialog.onProgress,
      signal: dialog.signal,
    })
    dialog.close()
    const done = t('channels.importDone', { count: channelsImported })
    toast.success(skipped > 0 ? t('channels.importDoneSkipped', { done, skipped }) : done)
    if (errors.length > 0) toast.error(t('channels.importProblems'))
    // Everything on screen is read again from the changed store.
    if (channelsImported > 0) setTimeout(() => location.reload(), webLimits.transfer.quickReloadMs)
  } catch (error) {
    if (dialog.signal.aborted) toast.info(t('channels.importCancelled'))
    else toast.error(t('channels.importFailed', { message: errorMessage(error, language) ?? t('channels.unexpected') }))
  } finally {
    dialog.close()
  }
}

/** A progress dialog that opens only after a delay. */
function transferDialog(title: string, hint: string, unit: Transfer['unit']) {
  const controller = new AbortController()
  let progress: Transfer['progress']
  let isShown = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = () => {
    isShown = true
    channelDialog.open({ kind: 'transfer', title, hint, progress, unit, cancel: () => controller.abort() })
  }
  const openSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(show, dialogDelayMs)
  }
  openSoon()
  return {
    signal: controller.signal,
    cancel: () => controller.abort(),
    openSoon,
    onProgress: (done: number, total: number): void => {
      progress = { done, total }
      if (isShown) show()
    },
    close: (): void => {
      clearTimeout(timer)
      if (isShown) channelDialog.close()
      isShown = false
    },
  }
}
