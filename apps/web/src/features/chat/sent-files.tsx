import '../../i18n/later-texts'
import type { FilePart } from '@parley/contract/parts'
import { useTranslation } from '../../i18n/interface-language'
import { byteText } from '../../lib/byte-text'
import { pagesUnit } from '../../lib/pages-unit'
import { hostOf } from '../../lib/source-place'
import { isVideo } from '../../lib/video-address'
import { FileIcon } from '../../ui/file-icon'
import styles from './sent-files.module.css'

/** What was added with a question, in its bubble. */
export default function SentFiles({ files }: { files: readonly FilePart[] }) {
  const { t, language } = useTranslation()
  return (
    <ul className={styles.files} aria-label={t('sources.sent')}>
      {files.map((file) => (
        <li key={file.fileId}>
          <FileIcon mediaType={file.mediaType} is={kindOf(file.url)} />
          <span className={styles.name} dir="auto">
            {file.name}
          </span>
          <span className={styles.facts}>
            {file.url !== undefined && hostOf(file.url)}
            {file.url === undefined && file.pages ? (
              <>{t(`sources.${pagesUnit(file.mediaType)}`, { count: file.pages })}, </>
            ) : null}
            {file.url === undefined && byteText(file.bytes, language)}
          </span>
        </li>
      ))}
    </ul>
  )
}

const kindOf = (url: string | undefined) => (url === undefined ? undefined : isVideo(url) ? 'video' : 'website')
