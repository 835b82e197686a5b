import '../../i18n/later-texts'
import { useState } from 'react'
import { adoptChats, declineAdoption } from '../../data/channels/adopt-chats'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { toast } from '../../ui/toast'

/** Offers to move the anonymous chats to the account. Closing it asks again the next time. */
export default function AdoptDialog({ count, onClose }: { count: number; onClose: () => void }) {
  const { t, language } = useTranslation()
  const [isBusy, setIsBusy] = useState(false)

  async function move() {
    setIsBusy(true)
    try {
      const { moved, left } = await adoptChats()
      if (moved > 0) toast.success(t('vault.adopted', { count: moved }))
      if (left > 0) toast.notice(t('vault.adoptLeftOver', { count: left }))
    } catch (error) {
      // Chats that were not moved stay where they were.
      toast.error(errorMessage(error, language) ?? t('vault.failed'))
    }
    onClose()
  }

  return (
    <Dialog
      title={t('vault.adoptTitle')}
      size="small"
      onClose={() => !isBusy && onClose()}
      footer={
        <>
          <Button
            variant="quiet"
            disabled={isBusy}
            onClick={() => {
              void declineAdoption().catch(() => undefined)
              onClose()
            }}
          >
            {t('vault.adoptLeave')}
          </Button>
          <Button variant="primary" busy={isBusy} data-autofocus onClick={() => void move()}>
            {t('vault.adoptMove')}
          </Button>
        </>
      }
    >
      <p>{t('vault.adoptText', { count })}</p>
    </Dialog>
  )
}
