import '../../i18n/later-texts'
import type { Message } from '@parley/contract/chat'
import { Box, ChevronDown, Ellipsis, Forward, RotateCcw, Split, Trash2 } from 'lucide-react'
import { useRequireLogin } from '../../data/auth/require-login'
import { resendMessage } from '../../data/chat/resend-message'
import { branchFrom } from '../../data/chat/versions'
import { useConfig } from '../../data/config/use-config'
import { requestModelId } from '../../data/models/chosen-model'
import { askForModel } from '../../data/models/model-request'
import { useTranslation } from '../../i18n/interface-language'
import { useSelectChannel } from '../../lib/selected-channel'
import { IconButton } from '../../ui/button'
import { Menu, type MenuItem } from '../../ui/menu'
import { toast } from '../../ui/toast'
import { useAttempt } from './use-attempt'
import { awaitRun } from './version-visit'

type Props = { message: Message; canRegenerate: boolean }

/** Other ways to ask again, and a chat of its own that begins here. */
export default function AnswerMenu({ message, canRegenerate }: Props) {
  const { t } = useTranslation()
  const models = useModelItems(message)
  const branch = useBranch(message)
  return (
    <>
      {canRegenerate && <Menu label={t('versions.otherModels')} icon={ChevronDown} size="small" items={models} />}
      <IconButton label={t('versions.branch')} icon={Split} size="small" onClick={branch} />
    </>
  )
}

type Folded = Props & { onForward: (() => void) | undefined; onDelete: (() => void) | undefined }

/** The same with all that stands beside it, where there is no room. */
export function FoldedAnswerMenu({ message, canRegenerate, onForward, onDelete }: Folded) {
  const { t } = useTranslation()
  const models = useModelItems(message)
  const branch = useBranch(message)
  const items: MenuItem[] = [
    ...(canRegenerate ? models : []),
    { id: 'branch', label: t('versions.branch'), icon: Split, onSelect: branch },
    ...(onForward ? [{ id: 'forward', label: t('chat.forward'), icon: Forward, onSelect: onForward }] : []),
    ...(onDelete
      ? [{ id: 'delete', label: t('chat.delete'), icon: Trash2, tone: 'danger' as const, onSelect: onDelete }]
      : []),
  ]
  return <Menu label={t('versions.answerTools')} icon={Ellipsis} align="end" items={items} />
}

function useModelItems(message: Message): MenuItem[] {
  const { t } = useTranslation()
  const attempt = useAttempt()
  const requireLogin = useRequireLogin()
  const isOffline = useConfig()?.models === 'offline'
  const { channelId, mId, model } = message
  const ask = (modelId: string): void => {
    awaitRun(message)
    void attempt(() => resendMessage(channelId, mId, { modelId }))
  }
  const name = model?.split('/').at(-1) ?? ''
  const isAnother = model !== undefined && requestModelId() !== undefined && model !== requestModelId()
  return [
    ...(isAnother
      ? [
          {
            ...{ id: 'same', label: t('versions.withModel', { model: name }), icon: RotateCcw },
            onSelect: () => ask(model),
          },
        ]
      : []),
    {
      ...{ id: 'another', label: t('versions.withAnother'), icon: Box },
      onSelect: () => {
        if (isOffline || requireLogin()) askForModel({ currentId: model, onChoose: ask })
      },
    },
  ]
}

function useBranch({ channelId, mId, versions }: Message): () => void {
  const { t } = useTranslation()
  const attempt = useAttempt()
  const select = useSelectChannel()
  return () =>
    void attempt(async () => {
      const runId = versions?.answer
      const { id, channelName } = await branchFrom(channelId, { mId, ...(runId === undefined ? {} : { runId }) })
      select(id)
      toast.success(t('versions.branched', { name: channelName }))
    })
}
