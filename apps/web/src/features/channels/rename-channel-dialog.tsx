import '../../i18n/later-texts'
import type { Channel } from '@parley/contract/channels'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { renameChannel } from '../../data/channels/channel-actions'
import { useStorageMode } from '../../data/channels/storage-mode'
import { useChannel } from '../../data/channels/use-channels'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { Field, TextInput } from '../../ui/field'
import { toast } from '../../ui/toast'
import { channelDialog } from './channel-dialog-state'

const formId = 'rename-channel'

type RenameRequest = { channel: Channel; name: string }

export default function RenameChannelDialog({ channelId }: { channelId: string }) {
  const { t, language } = useTranslation()
  const channel = useChannel(channelId)
  const mode = useStorageMode()
  const [name, setName] = useState(channel?.channelName ?? '')
  const [error, setError] = useState<string>()
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (to: RenameRequest) => renameChannel(to.channel, to.name, mode),
  })

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (name.trim() === '' || isPending || !channel) return
    try {
      await mutateAsync({ channel, name })
      channelDialog.close()
      toast.success(t('channels.renamed'))
    } catch (failure) {
      const message = errorMessage(failure, language) ?? t('channels.renameFailed')
      // An error of the name is shown at its field; other errors in a toast, because they would still be there while
      // another name is typed.
      if (failure instanceof AppError && failure.code === 'channel.name-taken') setError(message)
      else
        toast.error(
          t(channel.isLocalChannel || mode === 'local' ? 'channels.renameFailedLocal' : 'channels.renameFailedCloud', {
            message,
          }),
        )
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
            // The browser would store it for autocompletion, in plain text.
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
