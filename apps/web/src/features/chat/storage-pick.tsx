import type { StorageMode } from '@parley/contract/channels'
import { Cloud, Lock, MessageCircleDashed } from 'lucide-react'
import { useCallback, useId, useRef, useState } from 'react'
import { useRequireLogin } from '../../data/auth/require-login'
import { chooseTemporary } from '../../data/channels/new-chat'
import { setStorageMode } from '../../data/channels/storage-mode'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { MenuList } from '../../ui/menu-list'
import { PickButton } from '../../ui/pick-button'
import { toast } from '../../ui/toast'

/** Where a chat is: kept on this device or in the cloud, or in the memory of this tab. */
export type ChatHome = StorageMode | 'temporary'

export const homeIcons = { local: Lock, cloud: Cloud, temporary: MessageCircleDashed }
const labels = { local: 'chat.onThisDevice', cloud: 'chat.inTheCloud', temporary: 'chat.temporary' } as const
const order = ['local', 'cloud', 'temporary'] as const

/** The home of this chat; before the first question it can be chosen. */
export function StoragePick({ home, canChoose }: { home: ChatHome; canChoose: boolean }) {
  const { t, language } = useTranslation()
  const requireLogin = useRequireLogin()
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menuId = useId()
  const close = useCallback(() => setIsOpen(false), [])
  const anchor = useCallback(() => button.current?.getBoundingClientRect() ?? new DOMRect(), [])
  const shown = {
    icon: homeIcons[home],
    label: t('chat.storagePick'),
    value: t(labels[home]),
    tone: home === 'temporary' ? undefined : home,
  }
  if (!canChoose) return <PickButton {...shown} isFixed />

  const choose = async (next: ChatHome): Promise<void> => {
    if (next === 'cloud' && !requireLogin()) return
    try {
      await chooseTemporary(next === 'temporary')
      // A temporary chat is a choice for once: the home of the others stays.
      if (next !== 'temporary') setStorageMode(next)
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('chat.actionFailed'))
    }
  }
  return (
    <>
      <PickButton
        {...shown}
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
          start={order.indexOf(home)}
          onClose={close}
          anchor={anchor}
          align="start"
          opener={button}
          items={order.map((id) => ({
            id,
            label: t(labels[id]),
            icon: homeIcons[id],
            onSelect: () => void choose(id),
          }))}
        />
      )}
    </>
  )
}
