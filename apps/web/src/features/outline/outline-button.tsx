import '../../i18n/later-texts'
import { ListTree } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { IconButton } from '../../ui/button'
import { outlinePanel, useOutlineOpen } from './outline-state'

/** Opens and closes the outline of the chat, as Ctrl or ⌘ Shift O does. */
export default function OutlineButton() {
  const { t } = useTranslation()
  const isOpen = useOutlineOpen()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const isKey =
        (event.ctrlKey || event.metaKey) && event.shiftKey && !event.altKey && event.key.toLowerCase() === 'o'
      if (!isKey || event.isComposing) return
      // The sheet of the outline is a dialog itself.
      if (document.querySelector('dialog[open]:not([data-side-panel])')) return
      event.preventDefault()
      outlinePanel.toggle()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <IconButton
      label={t('outline.title')}
      icon={ListTree}
      aria-expanded={isOpen}
      onClick={() => outlinePanel.toggle()}
    />
  )
}
