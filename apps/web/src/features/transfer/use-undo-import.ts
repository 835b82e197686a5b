import '../../i18n/later-texts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'

type Undoable = { at: string; chats: number }

/** The newest import that can be taken back, and what takes it back. */
export function useUndoImport() {
  const { t, i18n } = useTranslation()
  const [undoable, setUndoable] = useState<Undoable>()
  const [isBusy, setIsBusy] = useState(false)
  useEffect(() => {
    let isCurrent = true
    lastUndoable().then(
      (last) => isCurrent && setUndoable(last),
      // A vault that is closed has nothing to offer here.
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
      setUndoable(await lastUndoable())
    } catch (error) {
      toast.error(errorMessage(error, i18n.language) ?? t('transfer.unexpected'))
    } finally {
      setIsBusy(false)
    }
  }

  return { undoable, isBusy, undo }
}

async function lastUndoable(): Promise<Undoable | undefined> {
  return (await import('../../data/transfer/undo-import')).lastUndoable()
}
