import type { StorageMode } from '@parley/contract/channels'
import { ChevronDown, Cloud, Lock } from 'lucide-react'
import { useCallback, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { setStorageMode } from '../../data/channels/storage-mode'
import { useRequireLogin } from '../../data/session/require-login'
import { MenuList } from '../../ui/menu-list'
import styles from './composer.module.css'

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
  const Icon = icons[mode]
  const label = t(mode === 'cloud' ? 'chat.inTheCloud' : 'chat.onThisDevice')
  const face = (
    <>
      <Icon aria-hidden="true" />
      <span className={styles.wide}>{label}</span>
    </>
  )
  if (!canChoose) return <span className={styles.local}>{face}</span>

  const choose = (next: StorageMode): void => {
    if (next === 'local' || requireLogin()) setStorageMode(next)
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.local}
        aria-label={t('chat.storagePick', { home: label })}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setIsOpen((was) => !was)}
      >
        {face}
        <ChevronDown aria-hidden="true" />
      </button>
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
