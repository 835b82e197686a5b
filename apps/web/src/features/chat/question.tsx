import type { Message } from '@parley/contract/chat'
import { memo, Suspense } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { sourcesOfMessage } from '../../lib/message-sources'
import { lazyExtra } from '../../ui/lazy-part'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { useIsEdited } from './edit-state'
import styles from './message.module.css'
import { Receipts } from './receipts'

// Loaded separately: a question is read without them.
const QuestionTools = lazyExtra(() => import('./question-tools'))
const PinMark = lazyExtra(() => import('./pin-mark'))
const QuestionEditor = lazyExtra(() => import('./question-editor'))
const VersionSwitch = lazyExtra(() => import('./version-switch'))
const SentFiles = lazyExtra(() => import('./sent-files'))

/** What was asked: its bubble, or the field in which it is edited, and under it its tools and versions. */
export const Question = memo(function Question({ message }: { message: Message }) {
  const { t } = useTranslation()
  const { author, forwarded, versions, isPinned } = message
  const { files } = sourcesOfMessage(message)
  const isEdited = useIsEdited(message.mId)
  const bubble = (
    <div className={styles.bubble} dir="auto">
      <Suspense>{files.length > 0 && <SentFiles files={files} />}</Suspense>
      {message.chat_request !== '' && <span>{message.chat_request}</span>}
    </div>
  )
  return (
    <div className={styles.question} data-question="" data-author={author ? '' : undefined}>
      {author ? (
        <span className={styles.author}>{author.name || t('members.deletedAccount')}</span>
      ) : (
        <VisuallyHidden>{t('chat.you')}</VisuallyHidden>
      )}
      {forwarded && <span className={styles.forwarded}>{t('members.forwarded')}</span>}
      <Suspense>{isPinned && <PinMark />}</Suspense>
      {isEdited ? (
        <Suspense fallback={bubble}>
          <QuestionEditor message={message} />
        </Suspense>
      ) : (
        <div className={styles.said}>
          {bubble}
          <div className={styles.under}>
            <Suspense>
              <QuestionTools message={message} />
              {versions?.questions && <VersionSwitch message={message} part="question" />}
            </Suspense>
            <Receipts message={message} />
          </div>
        </div>
      )}
    </div>
  )
})
