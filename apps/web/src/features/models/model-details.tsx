import '../../i18n/later-texts'
import type { Model } from '@parley/contract/models'
import { Star } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react'
import { toggleFavoriteModel, useModelHabits } from '../../data/models/model-habits'
import { exactPrice, parsePrice } from '../../data/models/token-price'
import { useTranslation } from '../../i18n/interface-language'
import { backwardKey } from '../../lib/direction'
import { exactDollars } from '../../lib/dollar-text'
import { Button, IconButton } from '../../ui/button'
import { FamilyMark } from './family-mark'
import { ModelBadges } from './model-badges'
import styles from './model-details.module.css'

type Props = { model: Model; onChoose: (model: Model) => void; onBack: () => void }

/** The details of a model, beside the list; below it on a narrow screen. */
export function ModelDetails({ model, onChoose, onBack }: Props) {
  const { t, language } = useTranslation()
  const select = useRef<HTMLButtonElement>(null)
  const isFavorite = useModelHabits().favorites.includes(model.id)

  useEffect(() => select.current?.focus({ preventScroll: true }), [])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' && event.key !== backwardKey()) return
    // Escape would close the dialog too.
    event.preventDefault()
    event.stopPropagation()
    onBack()
  }

  return (
    <section className={styles.details} aria-label={t('models.detailsOf', { model: model.name })} onKeyDown={onKeyDown}>
      <header>
        <FamilyMark model={model} />
        <div>
          <h3>{model.name}</h3>
          <p className={styles.id}>{model.id}</p>
        </div>
        <IconButton
          label={t(isFavorite ? 'models.removeFavorite' : 'models.addFavorite')}
          icon={Star}
          pressed={isFavorite}
          className={styles.star}
          onClick={() => toggleFavoriteModel(model.id)}
        />
      </header>
      <div className={styles.facts}>
        <p className={styles.badges}>
          <ModelBadges model={model} />
        </p>
        <dl>
          <Fact name={t('models.answerPrice')}>
            <Price written={model.pricing?.completion} isFree={model.free} />
          </Fact>
          <Fact name={t('models.questionPrice')}>
            <Price written={model.pricing?.prompt} isFree={model.free} />
          </Fact>
          <Fact name={t('models.modality')}>{model.architecture?.modality}</Fact>
          <Fact name={t('models.context')}>
            {model.contextTokens && t('models.tokens', { amount: model.contextTokens.toLocaleString(language) })}
          </Fact>
        </dl>
        {model.description && <p className={styles.description}>{model.description}</p>}
      </div>
      <footer>
        <Button onClick={onBack}>{t('models.back')}</Button>
        <Button ref={select} variant="primary" onClick={() => onChoose(model)}>
          {t('models.select')}
        </Button>
      </footer>
    </section>
  )
}

/** Empty where the gateway has no value. */
function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function Price({ written, isFree }: { written: string | undefined; isFree: boolean }) {
  const { t, language } = useTranslation()
  if (isFree) return t('models.noCharge')
  if (written === undefined) return '–'
  const price = parsePrice(written)
  return price === undefined
    ? t('models.varies')
    : t('models.pricePerMillion', { price: exactDollars(exactPrice(price), language) })
}
