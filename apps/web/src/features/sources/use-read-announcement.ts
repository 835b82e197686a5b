import '../../i18n/later-texts'
import type { Source } from '@parley/contract/sources'
import { useEffect, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { toast } from '../../ui/toast'
import { isBeingRead, stateText } from './source-state'

/** Says once when a source is read, or could not be: to ears always, of a website or video in a toast as well. */
export function useReadAnnouncement(sources: readonly Source[]): string {
  const { t, language } = useTranslation()
  const [reading] = useState(() => new Set<string>())
  const [text, setText] = useState('')
  useEffect(() => {
    for (const source of sources) {
      if (isBeingRead(source)) reading.add(source.id)
      else if (reading.delete(source.id)) {
        setText(t('sources.announced', { name: source.name, state: stateText(source, t, language) }))
        if (source.status === 'processed' && source.type !== 'document') toast.success(t('sources.embedded'))
      }
    }
  }, [sources, reading, t, language])
  return text
}
