import '../../i18n/later-texts'
import { Copy } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { toast } from '../../ui/toast'
import styles from './payment.module.css'
import { QrCode } from './qr-code'

/**
 * The Pix code, to scan with another device, or to copy into a bank's app on this one: by the button, or by a tap on
 * the picture.
 */
export function PixCode({
  code,
  children,
}: {
  code: string /** Between the picture and the code's text. */
  children: ReactNode
}) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)

  async function copy(said: string) {
    try {
      await navigator.clipboard.writeText(code)
      toast.success(said)
    } catch {
      // The browser denies the clipboard: the code is selected for the person to copy.
      input.current?.select()
      toast.info(t('payments.copyYourself'))
    }
  }

  return (
    <>
      <button
        type="button"
        className={styles.qr}
        aria-label={t('payments.qr')}
        onClick={() => void copy(t('payments.codeCopied'))}
      >
        <QrCode text={code} />
      </button>
      <p className={styles.fine}>{t('payments.pixHow')}</p>
      {children}
      <div className={styles.code}>
        <input
          ref={input}
          readOnly
          value={code}
          aria-label={t('payments.code')}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button
          variant="quiet"
          size="small"
          icon={Copy}
          data-autofocus=""
          onClick={() => void copy(t('payments.pixCopied'))}
        >
          {t('payments.copy')}
        </Button>
      </div>
    </>
  )
}
