import '../../i18n/later-texts'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Kbd } from '../../ui/kbd'
import styles from './dialogs.module.css'
import { alt, mod, newChatKeys, shift } from './shortcuts'

/** Everything the keyboard does, as the list shows it. The composer's own keys are its owner's. */
const shortcutList = [
  { keys: `${mod} K`, label: 'shortcuts.palette' },
  { keys: newChatKeys, label: 'shortcuts.newChat' },
  { keys: '/', label: 'shortcuts.composer' },
  { keys: `${alt} ↑`, label: 'shortcuts.previous' },
  { keys: `${alt} ↓`, label: 'shortcuts.next' },
  { keys: 'Enter', label: 'shortcuts.send' },
  { keys: `${shift} Enter`, label: 'shortcuts.newLine' },
  { keys: '↑', label: 'shortcuts.editLast' },
  { keys: `${mod} .`, label: 'shortcuts.stop' },
  { keys: `${mod} ${shift} C`, label: 'shortcuts.copy' },
  { keys: '?', label: 'shortcuts.help' },
  { keys: 'Esc', label: 'shortcuts.close' },
] as const

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('shell.shortcuts')} size="small" onClose={onClose} footer={<Button onClick={onClose}>{t('shell.close')}</Button>}>
      <dl className={styles.shortcuts}>
        {shortcutList.map(({ keys, label }) => (
          <div key={label}>
            <dt>{t(label)}</dt>
            <dd>
              <Kbd>{keys}</Kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
