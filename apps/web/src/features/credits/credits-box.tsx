import '../../i18n/later-texts'
import { ChevronDown, ChevronUp, Coins } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { usePushedCredits } from '../../data/chat/pushed-credits'
import { useShortage } from '../../data/credits/shortage'
import { useTranslation } from '../../i18n/interface-language'
import { Link } from '../../lib/router/link'
import { IconButton } from '../../ui/button'
import { Tooltip } from '../../ui/tooltip'
import styles from './credits.module.css'
import { PlanMark, usePlanText } from './plan-mark'

const sidebarDecimals = 2
const menuDecimals = 4
const storageKey = 'credits-box-open'

type Props = {
  variant: 'sidebar' | 'compact' | 'menu'
  /** The class of the menu's items. */
  className?: string | undefined
  /** Called when the person opens the credits tab. */
  onOpen: () => void
}

/** The person's balance, in the sidebar's footer or in the account menu. */
export default function Credits({ variant, ...props }: Props): ReactNode {
  return variant === 'menu' ? <MenuItem {...props} /> : <CreditsBox isCompact={variant === 'compact'} {...props} />
}

function MenuItem({ className, onOpen }: Omit<Props, 'variant'>) {
  const { t } = useTranslation()
  return (
    <Link to="/settings?tab=credits" className={className} onClick={onOpen}>
      <Coins aria-hidden="true" />
      <span className={styles.title}>{t('credits.title')}</span>
      <PlanMark decimals={menuDecimals} />
    </Link>
  )
}

/** The box in the sidebar; a narrow sidebar has a button with the same label. */
function CreditsBox({ isCompact, onOpen }: { isCompact: boolean; onOpen: () => void }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(readOpen)
  const text = usePlanText(sidebarDecimals)
  usePushedCredits()
  useShortage()

  if (isCompact) {
    const label = text === undefined ? t('credits.title') : t('credits.named', { credits: text })
    return (
      <Tooltip label={label}>
        <Link to="/settings?tab=credits" className={styles.button} aria-label={label} onClick={onOpen}>
          <Coins aria-hidden="true" />
        </Link>
      </Tooltip>
    )
  }
  return (
    <div className={styles.box}>
      <Link to="/settings?tab=credits" className={styles.link} onClick={onOpen}>
        <Coins aria-hidden="true" />
        <span className={styles.title}>{t('credits.title')}</span>
        {isOpen && <PlanMark decimals={sidebarDecimals} />}
      </Link>
      <IconButton
        size="small"
        label={t(isOpen ? 'credits.hide' : 'credits.show')}
        icon={isOpen ? ChevronDown : ChevronUp}
        aria-expanded={isOpen}
        onClick={() => {
          setIsOpen(!isOpen)
          storeOpen(!isOpen)
        }}
      />
    </div>
  )
}

function readOpen(): boolean {
  try {
    return localStorage.getItem(storageKey) !== 'false'
  } catch {
    // Storage is denied.
    return true
  }
}

function storeOpen(isOpen: boolean): void {
  try {
    localStorage.setItem(storageKey, String(isOpen))
  } catch {
    // Storage is denied: the choice lasts as long as the page.
  }
}
