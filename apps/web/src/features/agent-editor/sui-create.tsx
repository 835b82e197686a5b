import '../../i18n/later-texts'
import { limits } from '@parley/contract/limits'
import type { User } from '@parley/contract/users'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PublishWizard } from './publish-wizard'
import { loadSigning, PriceField } from './sui-terms'

/** The wizard, ended by the signature of the wallet. */
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
