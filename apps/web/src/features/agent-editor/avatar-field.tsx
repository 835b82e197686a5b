import '../../i18n/later-texts'
import { ImageOff, WandSparkles } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from '../../i18n/interface-language'
import { AgentFace } from '../../ui/agent-face'
import { Button } from '../../ui/button'
import { AvatarPicker } from './avatar-picker'
import styles from './editor.module.css'
import { PictureInput } from './picture-input'

type Props = {
  avatar: string
  error: string | undefined
  onChange: (avatar: string) => void /** Shown beside the picture. */
  children: ReactNode
  aside: ReactNode
}

/** The picture with a button that opens the picker, and beside it the name. */
export function AvatarField({ avatar, error, onChange, children, aside }: Props) {
  const { t } = useTranslation()
  const [picking, setPicking] = useState<{ file?: File }>()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={styles.avatarField} data-invalid={error === undefined ? undefined : ''}>
      <div className={styles.identity}>
        {avatar === '' ? (
          <span className={styles.noFace} role="img" aria-label={t('agentEditor.noAvatar')}>
            <ImageOff aria-hidden="true" />
          </span>
        ) : (
          <AgentFace src={avatar} size={84} label={t('agentEditor.avatar')} />
        )}
        <div className={styles.grow}>{children}</div>
      </div>
      <div className={styles.avatarTools}>
        <Button size="small" icon={WandSparkles} onClick={() => setPicking({})}>
          {t('agentEditor.chooseAvatar')}
        </Button>
        <Button size="small" variant="quiet" onClick={() => input.current?.click()}>
          {t('agentEditor.upload')}
        </Button>
        <PictureInput ref={input} label={t('agentEditor.avatars.upload')} onChoose={(file) => setPicking({ file })} />
        {aside}
      </div>
      {error !== undefined && (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
      {picking &&
        // A portal, so that Enter in the picker does not submit the surrounding form.
        createPortal(
          <AvatarPicker
            current={avatar}
            {...(picking.file ? { file: picking.file } : {})}
            onClose={() => setPicking(undefined)}
            onChoose={(chosen) => {
              onChange(chosen)
              setPicking(undefined)
            }}
          />,
          document.body,
        )}
    </div>
  )
}
