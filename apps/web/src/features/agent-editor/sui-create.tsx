import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits/shared'
import type { User } from '@parley/contract/users'
import { useState } from 'react'
import { useTranslation } from '../../i18n/interface-language'
import { PublishWizard } from './publish-wizard'
import { loadSigning, PriceField } from './sui-terms'

/** The wizard, which ends with the wallet's signature. */
export function SuiCreate({ user, onClose }: { user: User; onClose: () => void }) {
  const { t } = useTranslation()
  const [userPrice, setPrice] = useState<number>(limits.agents.sui.defaultPrice)
  return (
    <PublishWizard
      user={user}
      wantsCard={false}
      terms={{
        publish: async (draft) => {
          const { publishSuiAgent } = await loadSigning()
          await publishSuiAgent(draft, { userPrice })
        },
        onClose,
        submitLabel: t('suiAgents.signAndCreate'),
        extra: <PriceField price={userPrice} onChange={setPrice} />,
      }}
    />
  )
}
