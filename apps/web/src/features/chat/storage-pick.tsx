import type { StorageMode } from '@parley/contract/channels'
import { Cloud, Lock } from 'lucide-react'
import { useCallback, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setStorageMode } from '../../data/channels/storage-mode'
import { useRequireLogin } from '../../data/session/require-login'
import { MenuList } from '../../ui/menu-list'
import { PickButton } from '../../ui/pick-button'

const icons = { local: Lock, cloud: Cloud }

/** Where this chat lives; before the first question it can be chosen. */
export function StoragePick({ mode, canChoose }: { mode: StorageMode; canChoose: boolean }) {
  const { t } = useTranslation()
  const requireLogin = useRequireLogin()
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menuId = useId()
  const close = useCallback(() => setIsOpen(false), [])
  const anchor = useCallback(() => button.current?.getBoundingClientRect() ?? new DOMRect(), [])
  const home = {
    icon: icons[mode],
    label: t('chat.storagePick'),
    value: t(mode === 'cloud' ? 'chat.inTheCloud' : 'chat.onThisDevice'),
    tone: mode,
  }
  if (!canChoose) return <PickButton {...home} isFixed />

  const choose = (next: StorageMode): void => {
    if (next === 'local' || requireLogin()) setStorageMode(next)
  }
  return (
    <>
      <PickButton
        {...home}
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setIsOpen((was) => !was)}
      />
      {isOpen && (
        <MenuList
          id={menuId}
          label={t('shell.storageMode')}
          start={mode === 'local' ? 'first' : 'last'}
          onClose={close}
          anchor={anchor}
          align="start"
          opener={button}
          items={[
            { id: 'local', label: t('chat.onThisDevice'), icon: Lock, onSelect: () => choose('local') },
            { id: 'cloud', label: t('chat.inTheCloud'), icon: Cloud, onSelect: () => choose('cloud') },
          ]}
        />
      )}
    </>
  )
}
