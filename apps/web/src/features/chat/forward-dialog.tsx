import '../../i18n/later-texts'
import { type Channel, searchChannels } from '@parley/contract/channels'
import type { Message } from '@parley/contract/chat'
import { limits } from '@parley/contract/limits/shared'
import { Cloud, Lock } from 'lucide-react'
import { useState } from 'react'
import { canForwardTo, forwardMessage } from '../../data/channels/forward-message'
import { useChannel, useChannels } from '../../data/channels/use-channels'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextInput } from '../../ui/field'
import { toast } from '../../ui/toast'
import styles from './forward-dialog.module.css'
import { forwarding } from './forward-state'

/** The maximum of listed chats: typing another letter is quicker than reading more. */
const maxListed = 50

/** Chooses the chats that get a copy of a message. */
export default function ForwardDialog({ message }: { message: Message }) {
  const { t, language } = useTranslation()
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isBusy, setIsBusy] = useState(false)
  const from = useChannel(message.channelId)
  const { channels } = useChannels()
  const possible = from ? channels.filter((channel) => canForwardTo(channel, from)) : []
  const targets = possible.filter(({ id }) => chosen.has(id))
  const found = searchChannels(possible, query).slice(0, maxListed)
  const leavesDevice = from?.isLocalChannel === true && targets.some(({ isLocalChannel }) => !isLocalChannel)

  const toggle = (id: string): void => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const forward = async (): Promise<void> => {
    setIsBusy(true)
    try {
      await forwardMessage(message, targets)
      toast.success(t('chat.forwarded', { count: targets.length }))
      forwarding.close()
    } catch (error) {
      toast.error(errorMessage(error, language) ?? t('chat.actionFailed'))
      setIsBusy(false)
    }
  }

  return (
    <Dialog
      title={t('chat.forwardTitle')}
      onClose={forwarding.close}
      footer={
        <>
          <Button variant="quiet" onClick={forwarding.close}>
            {t('chat.cancel')}
          </Button>
          <Button
            variant="primary"
            disabled={targets.length === 0 || targets.length > limits.sharing.forwardTargets || isBusy}
            onClick={() => void forward()}
          >
            {t('chat.forward')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <blockquote className={styles.source}>
          <p dir="auto">{message.chat_request || message.chat_response.content}</p>
          <footer>{t('chat.forwardFrom', { name: from?.channelName ?? '' })}</footer>
        </blockquote>
        <TextInput
          type="search"
          data-autofocus=""
          autoComplete="off"
          spellCheck={false}
          aria-label={t('chat.forwardSearch')}
          placeholder={t('chat.forwardSearch')}
          value={query}
          onChange={({ target }) => setQuery(target.value)}
        />
        {found.length === 0 ? (
          <p className={styles.none} role="status">
            {t(possible.length === 0 ? 'chat.forwardNowhere' : 'chat.forwardNotFound')}
          </p>
        ) : (
          <fieldset className={styles.list}>
            <legend className={styles.legend}>{t('chat.forwardTo')}</legend>
            {found.map((channel) => (
              <Target
                key={channel.id}
                channel={channel}
                isChosen={chosen.has(channel.id)}
                onToggle={() => toggle(channel.id)}
              />
            ))}
          </fieldset>
        )}
        {leavesDevice && (
          <p className={styles.note} role="status">
            {t('chat.forwardLeaves')}
          </p>
        )}
      </div>
    </Dialog>
  )
}

function Target({ channel, isChosen, onToggle }: { channel: Channel; isChosen: boolean; onToggle: () => void }) {
  const { t } = useTranslation()
  return (
    <label className={styles.target}>
      <input type="checkbox" checked={isChosen} onChange={onToggle} />
      <span className={styles.name}>{channel.channelName}</span>
      {channel.isLocalChannel ? (
        <Badge tone="local" icon={Lock}>
          {t('channels.local')}
        </Badge>
      ) : (
        <Badge tone="cloud" icon={Cloud}>
          {t('channels.server')}
        </Badge>
      )}
    </label>
  )
}
