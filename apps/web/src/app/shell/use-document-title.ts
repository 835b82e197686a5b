import { product } from '@parley/contract/product'
import { useEffect } from 'react'
import { useChannel } from '../../data/channels/use-channels'
import { useTranslation } from '../../i18n/interface-language'
import { usePageData } from '../../lib/router/router'
import { useSelectedChannelId } from '../../lib/selected-channel'

const titles = {
  chat: 'shell.newChat',
  agents: 'shell.agents',
  settings: 'shell.settings',
  about: 'shell.about',
  invitation: undefined,
  reset: 'auth.resetTitle',
} as const

export function useDocumentTitle(): void {
  const { t } = useTranslation()
  const channel = useChannel(useSelectedChannelId())
  const area = usePageData('area')
  // Never the name of a chat: the browser keeps the titles of pages in its history, in plain text, long after a logout.
  const key = area && !channel ? titles[area] : undefined
  const title = key && t(key)
  useEffect(() => {
    document.title = title === undefined ? product.name : `${title} · ${product.name}`
  }, [title])
}
