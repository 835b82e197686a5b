import '../../i18n/later-texts'
import { ArrowDownNarrowWide, ArrowDownWideNarrow, Group } from 'lucide-react'
import { useCallback, useId, useRef, useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { MenuList } from '../../ui/menu-list'
import type { ModelOrder } from './model-entries'
import styles from './models.module.css'

const icons = { owner: Group, cheaper: ArrowDownNarrowWide, expensive: ArrowDownWideNarrow } as const

/** Orders the list by cost, or groups it by family. */
export function OrderMenu({ order, onChange }: { order: ModelOrder; onChange: (order: ModelOrder) => void }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menuId = useId()
  const close = useCallback(() => setIsOpen(false), [])
  const anchor = useCallback(() => button.current?.getBoundingClientRect() ?? new DOMRect(), [])
  const Icon = icons[order]
  const label = order === 'owner' ? t('models.groupByOwner') : t('models.groupByCost', { order: t(`models.${order}`) })
  return (
    <>
      <button
        ref={button}
        type="button"
        className={styles.order}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? menuId : undefined}
        onClick={() => setIsOpen((was) => !was)}
      >
        <Icon aria-hidden="true" />
        <span>{label}</span>
      </button>
      {isOpen && (
        <MenuList
          id={menuId}
          label={t('models.groupByOwner')}
          start="first"
          onClose={close}
          anchor={anchor}
          align="end"
          opener={button}
          items={[
            { id: 'owner', label: t('models.groupByOwner'), icon: icons.owner, onSelect: () => onChange('owner') },
            {
              id: 'cheaper',
              label: t('models.cheaperFirst'),
              icon: icons.cheaper,
              onSelect: () => onChange('cheaper'),
            },
            {
              id: 'expensive',
              label: t('models.expensiveFirst'),
              icon: icons.expensive,
              onSelect: () => onChange('expensive'),
            },
          ]}
        />
      )}
    </>
  )
}
