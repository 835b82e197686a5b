import { limits } from '@parley/contract/limits/shared'
import { Paperclip } from 'lucide-react'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { createPortal } from 'react-dom'
import { useMustSignIn, useRequireLogin } from '../../data/auth/require-login'
import { canChangeSources } from '../../data/channels/capabilities'
import { useChannel } from '../../data/channels/use-channels'
import { useTranslation } from '../../i18n/interface-language'
import { whileAdding } from '../../lib/adding-sources'
import { IconButton } from '../../ui/button'
import { lazyPart } from '../../ui/lazy-part'
import { sourceDialog, useSourceDialog } from './dialogs-state'
import { insertText } from './insert-text'

const SourceDialogs = lazyPart(() => import('./source-dialogs'))
const DropFrame = lazyPart(() => import('./drop-frame'))
const loadIntake = () => import('./intake')

const hasFiles = (data: DataTransfer | null): boolean => data?.types.includes('Files') ?? false
/** A dialog takes what is dropped or pasted for itself. */
const isCovered = (): boolean => document.querySelector('dialog[open]') !== null

/** The paperclip of a composer; it takes as well what is dropped on the chat or pasted. What it opens comes later. */
export function Attach({ channelId }: { channelId: string }) {
  const channel = useChannel(channelId)
  const canAdd = !channel || canChangeSources(channel)
  const { t } = useTranslation()
  const requireLogin = useRequireLogin()
  const canAttach = !useMustSignIn()
  const dialog = useSourceDialog()
  const [isDragging, setIsDragging] = useState(false)

  const addFiles = (files: readonly File[]): void => {
    if (files.length > 0 && requireLogin())
      void whileAdding(
        channelId,
        loadIntake().then(({ addFilesAloud }) => addFilesAloud(channelId, files)),
      )
  }
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!canAdd || !hasFiles(event.dataTransfer) || isCovered()) return
    event.preventDefault()
    if (event.type === 'dragover') return setIsDragging(true)
    // Out of the window; between its elements there is another one to go to.
    if (event.type === 'dragleave') return event.relatedTarget === null && setIsDragging(false)
    setIsDragging(false)
    addFiles([...(event.dataTransfer?.files ?? [])])
  })
  const onPaste = useEffectEvent((event: ClipboardEvent) => {
    const data = event.clipboardData
    if (!canAdd || !data || isCovered()) return
    if (data.files.length > 0) {
      event.preventDefault()
      return addFiles([...data.files])
    }
    const { target } = event
    if (!(target instanceof HTMLTextAreaElement) || !('composer' in target.dataset)) return
    const text = data.getData('text/plain')
    const pasted = { channelId, text, box: target }
    if (text.length > limits.sources.pastedTextLength && canAttach) {
      event.preventDefault()
      void whileAdding(
        channelId,
        loadIntake().then(
          ({ takeLongText }) => takeLongText(pasted),
          () => insertText(target, text),
        ),
      )
    } else if (target.value === '' && /^\s*https?:\/\/\S+\s*$/.test(text) && canAttach)
      void loadIntake().then(({ offerLink }) => offerLink(pasted))
  })
  useEffect(() => {
    const kinds = ['dragover', 'dragleave', 'drop'] as const
    for (const kind of kinds) addEventListener(kind, onDrag)
    document.addEventListener('paste', onPaste)
    return () => {
      for (const kind of kinds) removeEventListener(kind, onDrag)
      document.removeEventListener('paste', onPaste)
    }
  }, [])
  return (
    <>
      {canAdd && (
        <IconButton
          label={t('chat.addSources')}
          icon={Paperclip}
          aria-haspopup="dialog"
          onClick={() => requireLogin() && sourceDialog.open('add', channelId)}
        />
      )}
      {/* A portal, outside of the composer's form. */}
      {createPortal(
        <Suspense>
          {dialog?.channelId === channelId && <SourceDialogs {...dialog} />}
          {isDragging && <DropFrame />}
        </Suspense>,
        document.body,
      )}
    </>
  )
}
