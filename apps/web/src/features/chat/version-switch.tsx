import '../../i18n/later-texts'
import type { Message } from '@parley/contract/chat'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { showVersion } from '../../data/chat/versions'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { IconButton } from '../../ui/button'
import { toast } from '../../ui/toast'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { type VersionFocus, type VersionPart, type VersionVisit, versionVisit } from './version-visit'
import styles from './versions.module.css'

type Props = { message: Message; part: VersionPart }

/** Which version of a question or an answer is shown, and the way to the others. Nothing where there is only one. */
export default function VersionSwitch({ message, part }: Props) {
  const { t, language } = useTranslation()
  const placeId = useId()
  const group = useRef<HTMLFieldSetElement>(null)
  const [isBusy, setIsBusy] = useState(false)
  const { channelId, mId, versions } = message
  const ids = (part === 'question' ? versions?.questions : versions?.answers) ?? []
  const at = ids.indexOf(part === 'question' ? mId : (versions?.answer ?? ''))
  if (ids.length < 2 || at < 0) return null

  const show = async (next: number): Promise<void> => {
    const id = ids[next]
    if (id === undefined || isBusy || !group.current) return
    const visit = visitOf({ message, part, id, group: group.current, focus: next < at ? 'previous' : 'next' })
    versionVisit.begin(visit)
    setIsBusy(true)
    try {
      await showVersion(channelId, part === 'question' ? { mId: id } : { mId, runId: id })
    } catch (error) {
      versionVisit.end(visit)
      toast.error(errorMessage(error, language) ?? t('chat.actionFailed'))
    } finally {
      setIsBusy(false)
    }
  }
  const step = (direction: 'previous' | 'next') => {
    const next = direction === 'previous' ? at - 1 : at + 1
    return (
      <IconButton
        label={t(`versions.${direction}`)}
        icon={direction === 'previous' ? ChevronLeft : ChevronRight}
        size="small"
        data-step={direction}
        // Not disabled: whoever reaches the last version keeps the focus.
        aria-disabled={ids[next] === undefined || undefined}
        aria-describedby={placeId}
        onClick={() => void show(next)}
      />
    )
  }
  return (
    <fieldset
      ref={group}
      className={styles.switch}
      data-versions={part}
      aria-label={t(part === 'question' ? 'versions.ofQuestion' : 'versions.ofAnswer')}
      aria-busy={isBusy || undefined}
    >
      {step('previous')}
      <span className={styles.place} id={placeId}>
        <VisuallyHidden>{t('versions.placeName', { at: at + 1, of: ids.length })}</VisuallyHidden>
        <span aria-hidden="true">{t('versions.place', { at: at + 1, of: ids.length })}</span>
      </span>
      {step('next')}
    </fieldset>
  )
}

type Step = Props & { id: string; group: HTMLElement; focus: VersionFocus }

function visitOf({ message: { channelId, mId }, part, id, group, focus }: Step): VersionVisit {
  const goal = part === 'question' ? id : mId
  return {
    ...{ channelId, mId: goal, part },
    // Keys change the version of the message that has the focus, wherever in it.
    focus: group.contains(document.activeElement) ? focus : 'message',
    top: group.getBoundingClientRect().top,
    isShownIn: (messages) =>
      messages.some((each) => each.mId === goal && (part === 'question' || each.versions?.answer === id)),
    isMissingIn: (messages) => !messages.some((each) => each.mId === goal || each.mId === mId),
  }
}
