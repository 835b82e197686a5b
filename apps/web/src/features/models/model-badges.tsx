import '../../i18n/later-texts'
import type { Model } from '@parley/contract/models'
import { Image } from 'lucide-react'
import { useTranslation } from '../../i18n/interface-language'
import { Badge } from '../../ui/badge'
import { traitsOf } from './model-traits'

export function ModelBadges({ model }: { model: Model }) {
  const { t } = useTranslation()
  const { readsImages, makesImages } = traitsOf(model)
  return (
    <>
      {model.free && <Badge tone="good">{t('models.freeBadge')}</Badge>}
      {(readsImages || makesImages) && (
        <Badge tone="plain" icon={Image}>
          {t(makesImages ? 'models.makesImages' : 'models.readsImages')}
        </Badge>
      )}
    </>
  )
}
