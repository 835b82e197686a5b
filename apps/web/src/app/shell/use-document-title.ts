import { product } from '@parley/contract/product'
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useChannel } from '../../data/channels/use-channels'
import { useSelectedChannelId } from '../../lib/selected-channel'

export function useDocumentTitle(): void {
  const { t } = useTranslation()
  const channel = useChannel(useSelectedChannelId())
  const isSettings = useLocation({ select: ({ pathname }) => pathname === '/settings' })
  const isAgents = useLocation({ select: ({ pathname }) => pathname.startsWith('/assistant') })
  const isAbout = useLocation({ select: ({ pathname }) => pathname === '/about' })
  // Never the name of a chat: the browser keeps the titles of pages in its history, in plain text, long after a logout.
  const title = isAbout ? t('shell.about') : isSettings ? t('shell.settings') : isAgents ? t('shell.agents') : channel ? undefined : t('shell.newChat')
  useEffect(() => {
    document.title = title === undefined ? product.name : `${title} · ${product.name}`
  }, [title])
}
