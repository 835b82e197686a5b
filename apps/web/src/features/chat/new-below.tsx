import '../../i18n/later-texts'
import { ArrowDown } from 'lucide-react'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { VisuallyHidden } from '../../ui/visually-hidden'

/** Goes to the first of what came below while the reader had scrolled up. */
export default function NewBelow({ count, onClick }: { count: number; onClick: () => void }) {
  const { t } = useTranslation()
  const text = t('outline.newBelow', { count })
  return (
    <>
      <Button size="small" variant="quiet" icon={ArrowDown} onClick={onClick}>
        {text}
      </Button>
      <VisuallyHidden>
        <span role="status">{text}</span>
      </VisuallyHidden>
    </>
  )
}
