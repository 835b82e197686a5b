import '../../i18n/later-texts'
import type { WalletName } from '../../data/auth/sign-in-with-wallet'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'

const pages: Record<WalletName, string> = {
  metamask: 'https://metamask.io/download/',
  phantom: 'https://phantom.com/download',
  sui: 'https://slush.app/',
}

/** Explains how to install a missing wallet. Any Sui wallet works; one of them is offered. */
export function InstallWalletDialog({ wallet, onClose }: { wallet: WalletName; onClose: () => void }) {
  const { t } = useTranslation()
  const isAny = wallet === 'sui'
  const name = wallet === 'metamask' ? 'MetaMask' : 'Phantom'
  return (
    <Dialog
      title={isAny ? t('auth.installSuiTitle') : t('auth.installTitle', { wallet: name })}
      size="small"
      onClose={onClose}
      footer={
        <>
          <Button variant="quiet" onClick={onClose}>
            {t('auth.close')}
          </Button>
          <Button variant="primary" onClick={() => window.open(pages[wallet], '_blank', 'noopener')}>
            {t('auth.download')}
          </Button>
        </>
      }
    >
      <p>{isAny ? t('auth.installSuiText') : t('auth.installText', { wallet: name })}</p>
    </Dialog>
  )
}
