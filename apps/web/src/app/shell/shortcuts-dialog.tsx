import '../../i18n/later-texts'
import { type SendKey, useSendKey } from '../../data/session/send-key'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Kbd } from '../../ui/kbd'
import { alt, enter, mod, shift } from '../../ui/key-names'
import styles from './dialogs.module.css'

/** Everything the keyboard does, as the list shows it. The composer's own keys are its owner's. */
const shortcutsOf = (sendKey: SendKey) =>
  [
    { keys: `${mod} K`, label: 'shortcuts.palette' },
    { keys: `${mod} J`, label: 'shortcuts.newChat' },
    { keys: `${mod} ${shift} '`, label: 'shortcuts.newTemporary' },
    { keys: '/', label: 'shortcuts.composer' },
    { keys: `${alt} ↑`, label: 'shortcuts.previous' },
    { keys: `${alt} ↓`, label: 'shortcuts.next' },
    { keys: `${alt} ${shift} ↑`, label: 'shortcuts.previousQuestion' },
    { keys: `${alt} ${shift} ↓`, label: 'shortcuts.nextQuestion' },
    { keys: `${mod} ${shift} O`, label: 'shortcuts.outline' },
    { keys: sendKey === 'enter' ? enter : `${mod} ${enter}`, label: 'shortcuts.send' },
    { keys: sendKey === 'enter' ? `${shift} ${enter}` : enter, label: 'shortcuts.newLine' },
    { keys: `${mod} ${shift} ${enter}`, label: 'shortcuts.interrupt' },
    { keys: '↑', label: 'shortcuts.editLast' },
    { keys: `${mod} .`, label: 'shortcuts.stop' },
    { keys: `${mod} ${shift} C`, label: 'shortcuts.copy' },
    { keys: '[  ]', label: 'shortcuts.version' },
    { keys: '?', label: 'shortcuts.help' },
    { keys: 'Esc', label: 'shortcuts.close' },
  ] as const

export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const sendKey = useSendKey()
  return (
    <Dialog
      title={t('shell.shortcuts')}
      size="small"
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('shell.close')}</Button>}
    >
      <dl className={styles.shortcuts}>
        {shortcutsOf(sendKey).map(({ keys, label }) => (
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
