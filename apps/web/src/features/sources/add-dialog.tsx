import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits/shared'
import type { Source } from '@parley/contract/sources'
import { Camera, Check, Clapperboard, FileUp, Globe, X } from 'lucide-react'
import { type ChangeEvent, type DragEvent, type FormEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useSources } from '../../data/channels/use-sources'
import { useTranslation } from '../../i18n/interface-language'
import { useRested } from '../../lib/use-rested'
import { media } from '../../ui/breakpoints'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import { FileIcon } from '../../ui/file-icon'
import { useMediaQuery } from '../../ui/use-media-query'
import { acceptedFiles } from './accepted-files'
import styles from './add-dialog.module.css'
import { addFilesTo, addLinkTo, type Refused } from './add-sources'
import { sourceDialog } from './dialogs-state'
import { HomeNote } from './home-note'
import { linkOf } from './link-kind'
import { SourceRow } from './source-row'
import { iconOf } from './source-state'
import rows from './sources-bar.module.css'

/** What was added or refused while the dialog is open, in that order. */
type Entry = { key: string; id: string; isKnown: boolean } | ({ key: string } & Refused)

/** Adds sources to a chat: files, and links to websites and videos. */
export default function AddDialog({ channelId }: { channelId: string }) {
  const { t } = useTranslation()
  const { sources } = useSources(channelId)
  const [entries, setEntries] = useState<readonly Entry[]>([])
  const [sending, setSending] = useState(0)
  const add = (more: readonly Entry[]): void =>
    setEntries((all) => [...all.filter(({ key }) => !more.some((entry) => entry.key === key)), ...more])
  const addFiles = async (files: readonly File[]): Promise<void> => {
    if (files.length === 0) return
    setSending((count) => count + 1)
    const { added, refused } = await addFilesTo(channelId, files)
    setSending((count) => count - 1)
    add([
      ...added.map((source) => ({ key: source.id, ...source })),
      ...refused.map((each) => ({ key: `refused ${each.name}`, ...each })),
    ])
  }
  // What is on its way has a row of its own already, which tells how far it is.
  const arriving =
    sending === 0
      ? []
      : sources.filter(
          ({ id, status, progress }) =>
            status === 'queued' &&
            progress?.unit === 'bytes' &&
            !entries.some((entry) => 'id' in entry && entry.id === id),
        )
  const addLink = async (text: string): Promise<boolean> => {
    const link = linkOf(text)
    if (!link) return false
    setSending((count) => count + 1)
    const added = await addLinkTo(channelId, link)
    setSending((count) => count - 1)
    if (added) add([{ key: added.id, ...added }])
    return true
  }
  return (
    <Dialog title={t('sources.addTitle')} onClose={sourceDialog.close} footer={<HomeNote channelId={channelId} />}>
      <DropZone onFiles={(files) => void addFiles(files)} />
      <LinkField onAdd={addLink} />
      {sending > 0 && arriving.length === 0 && (
        <p className={styles.sending} role="status">
          {t('sources.sendingFile')}
        </p>
      )}
      {entries.length + arriving.length > 0 && (
        <ul className={styles.entries} aria-label={t('sources.added')}>
          {entries.map((entry) => (
            <EntryRow
              key={entry.key}
              entry={entry}
              source={'id' in entry ? sources.find(({ id }) => id === entry.id) : undefined}
              onForget={() => setEntries((all) => all.filter(({ key }) => key !== entry.key))}
            />
          ))}
          {arriving.map((source) => (
            <SourceRow key={source.id} source={source} isStacked />
          ))}
        </ul>
      )}
      {sources.length > 0 && (
        <button
          type="button"
          className={`${rows.link} ${styles.manage}`}
          onClick={() => sourceDialog.open('manage', channelId)}
        >
          {t('sources.manageAll')}
        </button>
      )}
    </Dialog>
  )
}

function EntryRow({ entry, source, onForget }: { entry: Entry; source: Source | undefined; onForget: () => void }) {
  const { t } = useTranslation()
  if ('why' in entry)
    return (
      <li className={rows.row} data-status="failed" data-stacked="">
        <FileIcon mediaType="" is="failed" />
        <span className={rows.name} dir="auto">
          {entry.name}
        </span>
        <span className={rows.state}>
          <span>{entry.why}</span>
        </span>
        <span className={rows.actions}>
          <IconButton label={t('sources.dismiss', { name: entry.name })} icon={X} size="small" onClick={onForget} />
        </span>
      </li>
    )
  if (!source) return null
  if (!entry.isKnown) return <SourceRow source={source} isStacked />
  return (
    <li className={rows.row} data-stacked="">
      <FileIcon mediaType={source.mediaType} is={iconOf(source)} />
      <span className={rows.name} dir="auto">
        {source.name}
      </span>
      <span className={rows.state}>
        <span>{t('sources.known')}</span>
      </span>
      <Check className={rows.done} aria-hidden="true" />
    </li>
  )
}

function DropZone({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslation()
  const [isOver, setIsOver] = useState(false)
  const files = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const isNarrow = useMediaQuery(media.narrow)
  usePastedFiles(onFiles)
  const chosen = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    onFiles([...(currentTarget.files ?? [])])
    // Else the same file could not be chosen again.
    currentTarget.value = ''
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setIsOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <FileUp aria-hidden="true" />
      <p className={styles.words}>
        <b>{t('sources.dropFiles')}</b> <span>{t('sources.orPaste')}</span>
      </p>
      <div className={styles.choices}>
        <Button onClick={() => files.current?.click()}>{t('sources.select')}</Button>
        {isNarrow && (
          <Button icon={Camera} onClick={() => camera.current?.click()}>
            {t('sources.camera')}
          </Button>
        )}
      </div>
      <p className={styles.types}>{t('sources.types')}</p>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept={acceptedFiles}
        aria-label={t('sources.select')}
        onChange={chosen}
      />
      <input
        ref={camera}
        type="file"
        hidden
        accept="image/*"
        capture="environment"
        aria-label={t('sources.camera')}
        onChange={chosen}
      />
    </div>
  )
}

/** Files that are pasted while the dialog is open. */
function usePastedFiles(onFiles: (files: readonly File[]) => void): void {
  const add = useEffectEvent(onFiles)
  useEffect(() => {
    const onPaste = (event: ClipboardEvent): void => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      add(files)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [])
}

function LinkField({ onAdd }: { onAdd: (text: string) => Promise<boolean> }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const [isRefused, setIsRefused] = useState(false)
  const rested = useRested(text, limits.sources.linkDebounceMs)
  const typed = text.trim()
  const link = rested === text ? linkOf(text) : undefined
  const isInvalid = isRefused || (rested === text && typed !== '' && !link)
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    if (typed === '') return
    if (!linkOf(typed)) return setIsRefused(true)
    setText('')
    await onAdd(typed)
  }
  return (
    <form className={styles.link} onSubmit={(event) => void submit(event)}>
      <Field label={t('sources.addLink')} {...(isInvalid ? { error: t('sources.invalidUrl') } : {})}>
        <div className={styles.linkRow}>
          <div className={styles.linkBox}>
            <TextInput
              data-autofocus=""
              inputMode="url"
              autoComplete="off"
              dir="ltr"
              maxLength={limits.sources.maxUrlLength}
              value={text}
              onChange={({ target }) => {
                setText(target.value)
                setIsRefused(false)
              }}
            />
            {link && (
              <span className={styles.kind} role="status">
                {link.kind === 'video' ? <Clapperboard aria-hidden="true" /> : <Globe aria-hidden="true" />}
                {t(link.kind === 'video' ? 'sources.video' : 'sources.website')}
              </span>
            )}
          </div>
          <Button type="submit" variant="primary" disabled={typed === ''}>
            {t('sources.addOne')}
          </Button>
        </div>
      </Field>
    </form>
  )
}
