import type { Channel } from '@parley/contract/channels'
import { useRouter } from '@tanstack/react-router'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useStorageMode } from '../../data/channels/storage-mode'
import { useRequireLogin } from '../../data/session/require-login'
import { channelIdOf, useSelectChannel } from '../../lib/selected-channel'
import type { MenuItem } from '../../ui/menu'
import type { ChannelCommand, CommandContext } from './channel-command'
import { channelCommands, toolCommands } from './channel-commands'

/** Runs a command for a channel with the texts and the selection of this page. */
export function useRunCommand(): (command: ChannelCommand, channel: Channel) => void {
  const { t, i18n } = useTranslation()
  const router = useRouter()
  const select = useSelectChannel()
  const requireLogin = useRequireLogin()
  const mode = useStorageMode()
  return useCallback(
    (command, channel) => {
      if (command.needsLogin && !requireLogin()) return
      const context: CommandContext = { t, language: i18n.language, select, selectedId: () => channelIdOf(router.state.location.hash), mode }
      void command.run(channel, context)
    },
    [t, i18n, router, select, requireLogin, mode],
  )
}

/** The commands of a channel as a menu: of its row, or shorter of the top bar. */
export function useChannelMenu(place: 'row' | 'tools'): (channel: Channel) => MenuItem[] {
  const { t } = useTranslation()
  const run = useRunCommand()
  return useCallback(
    (channel) =>
      (place === 'row' ? channelCommands : toolCommands)
        .filter(({ isFor }) => isFor?.(channel) ?? true)
        .flatMap((command): MenuItem[] => [
          ...(command.tone === 'danger' ? (['separator'] as const) : []),
          {
            id: command.id,
            label: (place === 'row' ? command.label : command.toolLabel)(channel, t),
            icon: command.icon(channel),
            ...(command.tone ? { tone: command.tone } : {}),
            onSelect: () => run(command, channel),
          },
        ]),
    [place, t, run],
  )
}
