import type { Channel } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renameChannel } from '../../data/channels/channel-actions'
import { useStorageMode } from '../../data/channels/storage-mode'
import { useChannel } from '../../data/channels/use-channels'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import { toast } from '../../ui/toast'
import { channelDialog } from './channel-dialog-state'

const formId = 'rename-channel'

type Renaming = { channel: Channel; name: string }

export default function RenameChannelDialog({ channelId }: { channelId: string }) {
  const { t, i18n } = useTranslation()
  const channel = useChannel(channelId)
  const mode = useStorageMode()
  const [name, setName] = useState(channel?.channelName ?? '')
  const [error, setError] = useState<string>()
  const { mutateAsync, isPending } = useMutation({ mutationFn: (to: Renaming) => renameChannel(to.channel, to.name, mode) })

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() === '' || isPending || !channel) return
    try {
      await mutateAsync({ channel, name })
      channelDialog.close()
      toast.success(t('channels.renamed'))
    } catch (failure) {
      const message = errorMessage(failure, i18n.language) ?? t('channels.renameFailed')
      // What is wrong with the name is said at its field; the rest would still stand there while another name is typed.
      if (failure instanceof AppError && failure.code === 'channel.name-taken') setError(message)
      else toast.error(t(channel.isLocalChannel || mode === 'local' ? 'channels.renameFailedLocal' : 'channels.renameFailedCloud', { message }))
    }
  }

  return (
    <Dialog
      title={t('channels.renameTitle')}
      onClose={channelDialog.close}
      size="small"
      isStatic
      footer={
        <>
          <Button variant="quiet" onClick={channelDialog.close}>
            {t('channels.close')}
          </Button>
          <Button variant="primary" type="submit" form={formId} busy={isPending}>
            {t('channels.rename')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void submit(event)} noValidate>
        <Field label={t('channels.name')} {...(error ? { error } : {})}>
          <TextInput
            autoFocus
            // The browser would keep it among the texts to suggest, in plain text.
            autoComplete="off"
            value={name}
            maxLength={limits.channels.maxNameLength}
            onFocus={(event) => event.target.select()}
            onChange={(event) => {
              setName(event.target.value)
              setError(undefined)
            }}
          />
        </Field>
      </form>
    </Dialog>
  )
}
