import type { Channel } from '@parley/contract/channels'
import { useCallback } from 'react'
import { useRequireLogin } from '../../data/auth/require-login'
import { useStorageMode } from '../../data/channels/storage-mode'
import { useTranslation } from '../../i18n/interface-language'
import { useRouter } from '../../lib/router/router'
import { channelIdOf, useSelectChannel } from '../../lib/selected-channel'
import type { MenuItem } from '../../ui/menu'
import type { ChannelCommand, CommandContext } from './channel-command'
import { channelCommands, toolCommands } from './channel-commands'

/** Runs a command for a channel with the texts and the selection of this page. */
export function useRunCommand(): (command: ChannelCommand, channel: Channel) => void {
  const { t, language } = useTranslation()
  const router = useRouter()
  const select = useSelectChannel()
  const requireLogin = useRequireLogin()
  const mode = useStorageMode()
  return useCallback(
    (command, channel) => {
      if (command.needsLogin && !requireLogin()) return
      const context: CommandContext = {
        t,
        language,
        select,
        selectedId: () => channelIdOf(router.shown().location.hash),
        mode,
      }
      void command.run(channel, context)
    },
    [t, language, router, select, requireLogin, mode],
  )
}

/** The commands of a channel as menu items: of its row, or the shorter ones of the top bar. */
export function useChannelMenu(menu: 'row' | 'tools'): (channel: Channel) => MenuItem[] {
  const { t } = useTranslation()
  const run = useRunCommand()
  return useCallback(
    (channel) =>
      (menu === 'row' ? channelCommands : toolCommands)
        .filter(({ isFor }) => isFor?.(channel) ?? true)
        .flatMap((command): MenuItem[] => [
          ...(command.tone === 'danger' ? (['separator'] as const) : []),
          {
            id: command.id,
            label: (menu === 'row' ? command.label : command.toolLabel)(channel, t),
            icon: command.icon(channel),
            ...(command.tone ? { tone: command.tone } : {}),
            onSelect: () => run(command, channel),
          },
        ]),
    [menu, t, run],
  )
}
