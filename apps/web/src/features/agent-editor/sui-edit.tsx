import '../../i18n/later-texts'
import { isOwnAgent } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import type { SuiAgent } from '@parley/contract/sui-agents'
import type { SuiManifest } from '@parley/contract/sui-manifest'
import type { User } from '@parley/contract/users'
import { useState } from 'react'
import { type AgentForm, formOf } from '../../data/agents/agent-form'
import { useSuiAgent } from '../../data/agents/sui-lists'
import { useTranslation } from '../../i18n/interface-language'
import { AgentLoading } from './agent-loading'
import { EditAgent } from './edit-agent-dialog'
import { loadSigning, PriceField } from './sui-terms'

/** Edits an agent of the person's wallet: saving signs its next version. */
export function SuiEdit({ id, user, onClose }: { id: string; user: User; onClose: () => void }) {
  const { t } = useTranslation()
  const { answer, error, refetch } = useSuiAgent(id)
  if (answer && isOwnAgent(answer.agent))
    return <EditSuiAgent key={answer.agent._id} answer={answer} user={user} onClose={onClose} />
  const problem = error ?? (answer && new AppError('agent.not-found'))
  return <AgentLoading title={t('agentEditor.editTitle')} error={problem} onRetry={refetch} onClose={onClose} />
}

function EditSuiAgent({ answer: given, user, onClose }: { answer: SuiAgent; user: User; onClose: () => void }) {
  const { t } = useTranslation()
  // The version that was opened is the one that is edited: the server refuses the save when a newer one exists.
  const [answer] = useState(given)
  const [userPrice, setPrice] = useState(answer.agent.userPrice)
  if (!isOwnAgent(answer.agent)) return null
  return (
    <EditAgent
      agent={answer.agent}
      user={user}
      terms={{
        publish: async (draft) => {
          const { publishSuiAgent } = await loadSigning()
          await publishSuiAgent(draft, { userPrice, before: answer })
        },
        remove: async () => {
          const { removeSuiAgent } = await loadSigning()
          await removeSuiAgent(answer)
        },
        onClose,
        submitLabel: t('suiAgents.signAndSave'),
        extra: <PriceField price={userPrice} onChange={setPrice} />,
        isChanged: userPrice !== answer.agent.userPrice,
        initial: signedForm(answer),
      }}
    />
  )
}

/** Uses the greetings as signed: where one is empty, lists show one made of name and role. */
function signedForm({ agent, head }: SuiAgent): AgentForm {
  const { languages } = JSON.parse(head.manifest) as SuiManifest
  const greetingIn = (language: string | undefined) =>
    languages.find((texts) => texts.language === language)?.defaultGreetings ?? ''
  const form = formOf(agent)
  return {
    ...form,
    greeting: greetingIn(form.language),
    translations: form.translations.map((texts) => ({ ...texts, greeting: greetingIn(texts.language) })),
  }
}
