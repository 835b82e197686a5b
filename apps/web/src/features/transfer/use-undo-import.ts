import '../../i18n/later-texts'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'

type UndoableImport = { at: string; chats: number }

/** The newest import that can be undone, and the function that does it. */
export function useUndoImport() {
  const { t, language } = useTranslation()
  const [undoable, setUndoable] = useState<UndoableImport>()
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => {
    let isCurrent = true
    findUndoableImport().then(
      (last) => isCurrent && setUndoable(last),
      // A locked vault has nothing to undo.
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [])

  async function undo(): Promise<void> {
    setIsBusy(true)
    try {
      const { undoImport } = await import('../../data/transfer/undo-import')
      toast.success(t('transfer.undone', { count: await undoImport() }))
      setUndoable(await findUndoableImport())
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('transfer.unexpected'))
    } finally {
      setIsBusy(false)
    }
  }

  return { undoable, isBusy, undo }
}

async function findUndoableImport(): Promise<UndoableImport | undefined> {
  return (await import('../../data/transfer/undo-import')).findUndoableImport()
}
