import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits/shared'
import { ImageUp, WandSparkles } from 'lucide-react'
import { useRef } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { AgentFace } from '../../ui/agent-face'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Skeleton } from '../../ui/skeleton'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { AvatarGrid } from './avatar-grid'
import styles from './avatars.module.css'
import { PictureInput } from './picture-input'
import { useAvatars } from './use-avatars'

type Props = {
  current: string /** A file to upload at once. */
  file?: File
  onChoose: (avatar: string) => void
  onClose: () => void
}

/** Picks an agent's picture: a generated face, or an upload. */
export function AvatarPicker({ current, file, onChoose, onClose }: Props) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const { avatars, chosen, choose, busy, problem, spoken, generate, upload } = useAvatars(current, file)
  const hasMade = avatars.some(({ kind }) => kind === 'made')
  return (
    <Dialog
      title={t('agentEditor.avatars.title')}
      onClose={onClose}
      isStatic
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button variant="primary" disabled={chosen === '' || busy === 'uploading'} onClick={() => onChoose(chosen)}>
            {t('agentEditor.avatars.use')}
          </Button>
        </>
      }
    >
      <div className={styles.picker}>
        <div className={styles.choice}>
          <span className={styles.preview}>
            {busy === 'uploading' ? (
              <Skeleton width="120px" height="120px" />
            ) : chosen === '' ? (
              <span className={styles.nothing} />
            ) : (
              <AgentFace src={chosen} size={120} label={t('agentEditor.avatars.preview')} />
            )}
          </span>
          <div className={styles.sources}>
            <p>{t('agentEditor.avatars.intro')}</p>
            <div className={styles.buttons}>
              <Button
                data-autofocus=""
                icon={WandSparkles}
                busy={busy === 'generating'}
                disabled={busy === 'uploading'}
                onClick={generate}
              >
                {t(hasMade ? 'agentEditor.avatars.generateAgain' : 'agentEditor.avatars.generate')}
              </Button>
              <Button
                icon={ImageUp}
                busy={busy === 'uploading'}
                disabled={busy === 'generating'}
                onClick={() => input.current?.click()}
              >
                {t('agentEditor.avatars.upload')}
              </Button>
              <PictureInput ref={input} label={t('agentEditor.avatars.upload')} onChoose={upload} />
            </div>
            <p className={styles.note}>{t('agentEditor.avatars.kinds')}</p>
          </div>
        </div>
        {problem !== undefined && (
          <p className={styles.problem} role="alert">
            {problem}
          </p>
        )}
        <VisuallyHidden>
          <span aria-live="polite">{spoken}</span>
        </VisuallyHidden>
        {busy === 'generating' && !hasMade ? (
          <Making />
        ) : (
          avatars.length > 0 && <AvatarGrid avatars={avatars} chosen={chosen} onChoose={choose} />
        )}
      </div>
    </Dialog>
  )
}

function Making() {
  return (
    <div className={styles.grid} aria-hidden="true">
      {Array.from({ length: limits.agents.drawnImages }, (_, place) => `face-${place}`).map((key) => (
        <Skeleton key={key} width="72px" height="72px" />
      ))}
    </div>
  )
}
