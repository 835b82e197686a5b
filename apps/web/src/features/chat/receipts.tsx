import type { Message } from '@parley/contract/chat'
import type { Reader } from '@parley/contract/receipts'
import { useQuery } from '@tanstack/react-query'
import { Check, CheckCheck } from 'lucide-react'
import { hasReceipts } from '../../data/channels/capabilities'
import { readersQuery } from '../../data/channels/readers'
import { useChannel } from '../../data/channels/use-channels'
import { useUser } from '../../data/session/stored-session'
import type { Translate } from '../../i18n/interface-language'
import { useTranslation } from '../../i18n/interface-language'
import { HoverNote } from '../../ui/hover-note'
import styles from './receipts.module.css'

/** The read receipts under a message of a shared channel. Empty where there is no other member. */
export function Receipts({ message }: { message: Message }) {
  const channel = useChannel(message.channelId)
  if (!channel || !hasReceipts(channel)) return null
  // The owner and the members, without the reader and the author.
  const others = (channel.memberCount ?? 0) - (message.author?.id === undefined ? 0 : 1)
  // The height is reserved while it is fetched, so that nothing below moves.
  return (
    others > 0 && (
      <div className={styles.receipts} data-receipts="">
        <Known message={message} />
      </div>
    )
  )
}

function Known({ message: { channelId, mId } }: { message: Message }) {
  const { t, language } = useTranslation()
  const own = useUser()?.id
  const { data } = useQuery(readersQuery(channelId, mId))
  const others = data?.filter(({ userId }) => userId !== own) ?? []
  if (others.length === 0) return null
  const read = others.filter((reader) => reader.read !== null)
  const Icon = read.length > 0 ? CheckCheck : Check
  const mark = (
    <>
      <Icon aria-hidden="true" />
      {summary(others, read.length, t)}
    </>
  )
  return (
    <HoverNote mark={mark}>
      <ul className={styles.list}>
        {others.map((reader) => (
          <li key={reader.userId}>
            <b>{reader.name}</b>
            <span>{stateOf(reader, t, language)}</span>
          </li>
        ))}
      </ul>
    </HoverNote>
  )
}

function summary(others: readonly Reader[], read: number, t: Translate): string {
  if (read > 0)
    return others.length === 1
      ? t('members.receiptRead')
      : read === others.length
        ? t('members.receiptReadAll')
        : t('members.receiptReadBy', { count: read })
  return t(others.some(({ received }) => received !== null) ? 'members.receiptReceived' : 'members.receiptSent')
}

function stateOf({ received, read }: Reader, t: Translate, language: string): string {
  const at = (iso: string): string =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso))
  if (read !== null) return t('members.readAt', { date: at(read) })
  return received === null ? t('members.notReceived') : t('members.receivedAt', { date: at(received) })
}
