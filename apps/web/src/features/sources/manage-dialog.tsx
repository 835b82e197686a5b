import '../../i18n/later-texts'
import { errorText } from '@parley/contract/errors'
import type { Source } from '@parley/contract/sources'
import { Plus, Trash2 } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { canChangeSources } from '../../data/channels/capabilities'
import { removeSource, saveSwitches } from '../../data/channels/source-actions'
import { useChannel } from '../../data/channels/use-channels'
import { useSources } from '../../data/channels/use-sources'
import { type Translate, useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { EmptyState } from '../../ui/empty-state'
import { FileIcon } from '../../ui/file-icon'
import { Progress } from '../../ui/progress'
import { Skeleton } from '../../ui/skeleton'
import { Switch } from '../../ui/switch'
import { confirmToast, toast } from '../../ui/toast'
import { sourceDialog } from './dialogs-state'
import styles from './manage-dialog.module.css'
import { MeaningSwitch } from './meaning-switch'
import { factsOf, iconOf, isBeingRead, isRead, noticeTexts, stateText } from './source-state'

/** Which sources of a chat go along with its questions. What is switched is collected, and saved together. */
export default function ManageDialog({ channelId }: { channelId: string }) {
  const { t, language } = useTranslation()
  const { sources, isLoading } = useSources(channelId)
  const channel = useChannel(channelId)
  const canChange = !channel || canChangeSources(channel)
  const [switched, setSwitched] = useState<Readonly<Record<string, boolean>>>({})
  const [isSaving, setIsSaving] = useState(false)
  const isOn = ({ id, isActive }: Source): boolean => switched[id] ?? isActive
  const changed = sources.filter((source) => isRead(source) && isOn(source) !== source.isActive)
  const inUse = sources.filter((source) => isRead(source) && isOn(source))

  const close = async (): Promise<void> => {
    if (isSaving) return
    if (changed.length > 0 && !(await confirmToast({ message: t('sources.confirmLeave'), danger: true }))) return
    sourceDialog.close()
  }
  const save = async (): Promise<void> => {
    setIsSaving(true)
    try {
      await saveSwitches(
        channelId,
        changed.map((source) => ({ id: source.id, isActive: isOn(source) })),
      )
      toast.success(t('sources.saved'))
      sourceDialog.close()
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('sources.contentFailed'))
      setIsSaving(false)
    }
  }
  const footer = (
    <div className={styles.foot}>
      <span className={styles.count} role="status">
        {t('sources.inUse', { used: inUse.length, all: sources.length })}
        {changed.length > 0 && (
          <span className={styles.changes}>{t('sources.changes', { count: changed.length })}</span>
        )}
      </span>
      <Button variant="quiet" disabled={isSaving} onClick={() => void close()}>
        {t('common.cancel')}
      </Button>
      {canChange && (
        <Button variant="primary" busy={isSaving} disabled={changed.length === 0} onClick={() => void save()}>
          {t('sources.save')}
        </Button>
      )}
    </div>
  )
  return (
    <Dialog title={t('sources.manageTitle')} onClose={() => void close()} size="wide" footer={footer}>
      <p className={styles.hint}>{canChange ? t('sources.manageHint') : errorText('channel.owner-only', language)}</p>
      {sources.length === 0 && isLoading && <Skeleton width="100%" height="56px" />}
      {sources.length === 0 && !isLoading && (
        <EmptyState
          title={t('sources.none')}
          action={
            canChange && (
              <Button icon={Plus} onClick={() => sourceDialog.open('add', channelId)}>
                {t('sources.addOne')}
              </Button>
            )
          }
        />
      )}
      <ul className={styles.rows} aria-label={t('sources.bar')} aria-busy={isSaving}>
        {sources.map((source) => (
          <Row
            key={source.id}
            source={source}
            isOn={isRead(source) && isOn(source)}
            isLocked={isSaving || !canChange}
            onSwitch={(isActive) => setSwitched((all) => ({ ...all, [source.id]: isActive }))}
          />
        ))}
      </ul>
      <MeaningSwitch channelId={channelId} />
    </Dialog>
  )
}

/** `41 of 118`, where its row says what is counted. */
const shortState = ({ progress }: Source, state: string, t: Translate): string =>
  progress?.unit === 'pages' ? t('sources.doneOf', { done: progress.done, all: progress.of }) : state

type RowProps = { source: Source; isOn: boolean; isLocked: boolean; onSwitch: (isActive: boolean) => void }

function Row({ source, isOn, isLocked, onSwitch }: RowProps) {
  const { t, language } = useTranslation()
  const { name, status, progress } = source
  const remove = async (): Promise<void> => {
    if (isLocked || !(await confirmToast({ message: t('sources.confirmRemove', { name }), danger: true }))) return
    await removeSource(source).catch((error: unknown) =>
      toast.error(errorMessage(error, language) ?? t('sources.contentFailed')),
    )
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Delete') return
    event.preventDefault()
    void remove()
  }
  const state = stateText(source, t, language)
  const facts = [...factsOf(source, t, language), ...noticeTexts(source, t)].join(' · ')
  return (
    <li className={styles.row} data-status={status} data-off={!isOn || undefined} onKeyDown={onKeyDown}>
      <FileIcon mediaType={source.mediaType} is={iconOf(source)} />
      <div className={styles.words}>
        <p className={styles.name} dir="auto" title={name}>
          {name}
        </p>
        <p className={styles.facts}>
          {status === 'failed' ? state : facts}
          {status !== 'failed' && (
            <span className={styles.stateBelow}>{` · ${isRead(source) ? t('sources.processed') : state}`}</span>
          )}
        </p>
      </div>
      <span className={styles.state}>
        {isBeingRead(source) && progress && progress.of > 0 && (
          <Progress value={progress.done} max={progress.of} label={t('sources.progressOf', { name })} />
        )}
        {status !== 'failed' && (isRead(source) ? t('sources.processed') : shortState(source, state, t))}
      </span>
      <Switch
        label={t('sources.use', { name })}
        checked={isOn}
        disabled={!isRead(source) || isLocked}
        onChange={onSwitch}
      />
      <IconButton
        label={t('sources.remove', { name })}
        icon={Trash2}
        disabled={isLocked}
        onClick={() => void remove()}
      />
    </li>
  )
}
