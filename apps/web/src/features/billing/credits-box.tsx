import '../../i18n/later-texts'
import { Link } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, Coins } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePushedCredits } from '../../data/billing/credits'
import { useShortage } from '../../data/billing/shortage'
import { IconButton } from '../../ui/button'
import { Tooltip } from '../../ui/tooltip'
import styles from './credits.module.css'
import { PlanMark, usePlanText } from './plan-mark'

const sidebarDecimals = 2
const menuDecimals = 4
const storageKey = 'credits-box-open'

type Props = {
  place: 'sidebar' | 'compact' | 'menu'
  /** Of the menu's items. */
  className?: string | undefined
  /** They are on their way to the credits. */
  onOpen: () => void
}

/** What is left to this person, in the sidebar's footer or in the account menu. */
export default function Credits({ place, ...props }: Props): ReactNode {
  return place === 'menu' ? <MenuItem {...props} /> : <CreditsBox isCompact={place === 'compact'} {...props} />
}

function MenuItem({ className, onOpen }: Omit<Props, 'place'>) {
  const { t } = useTranslation()
  return (
    <Link to="/settings" search={{ tab: 'credits' }} className={className} onClick={onOpen}>
      <Coins aria-hidden="true" />
      <span className={styles.title}>{t('credits.title')}</span>
      <PlanMark decimals={menuDecimals} />
    </Link>
  )
}

/** A narrow sidebar has a button with the same words. */
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
        <Link to="/settings" search={{ tab: 'credits' }} className={styles.button} aria-label={label} onClick={onOpen}>
          <Coins aria-hidden="true" />
        </Link>
      </Tooltip>
    )
  }
  return (
    <div className={styles.box}>
      <Link to="/settings" search={{ tab: 'credits' }} className={styles.link} onClick={onOpen}>
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
    // The choice lasts as long as the page.
  }
}
