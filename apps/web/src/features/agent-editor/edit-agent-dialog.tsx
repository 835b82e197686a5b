import '../../i18n/later-texts'
import { isOwnAgent, type OwnAgent } from '@parley/contract/agents'
import { AppError } from '@parley/contract/errors'
import type { User } from '@parley/contract/users'
import { type FormEvent, useId, useRef, useState } from 'react'
import { useAgent } from '../../data/agents/agent'
import { closeAgentEditor } from '../../data/agents/agent-editor-state'
import { forgetDraftFiles, useFilesOfAgent } from '../../data/agents/agent-files'
import { type AgentForm, formOf, isUnchanged, missingData, missingGeneral } from '../../data/agents/agent-form'
import { useTranslation } from '../../i18n/interface-language'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { AgentLoading } from './agent-loading'
import { AgentTools } from './agent-tools'
import { mayDiscard } from './begin-draft'
import { DataFields } from './data-fields'
import styles from './editor.module.css'
import { GeneralFields } from './general-fields'
import type { SigningTerms } from './sui-terms'
import { TryPanel } from './try-panel'
import { useFormErrors } from './use-form-errors'
import { useRemove, useSave } from './use-save'

/** Edits the person's own agent. It is fetched, because lists have neither prompt nor knowledge. */
export function EditAgentDialog({ id, user }: { id: string; user: User }) {
  const { t } = useTranslation()
  const { agent, error, refetch } = useAgent(id === '' ? undefined : id)
  const { remove, isRemoving } = useRemove(id, agent?.name ?? '')
  if (agent && isOwnAgent(agent)) return <EditAgent key={agent._id} agent={agent} user={user} />
  // It belongs to another person, or does not exist.
  const problem = error ?? (agent || id === '' ? new AppError('agent.not-found') : undefined)
  return (
    <AgentLoading
      title={t('agentEditor.editTitle')}
      error={problem}
      onRetry={refetch}
      footer={
        id === '' && (
          <Button variant="quiet" busy={isRemoving} onClick={remove}>
            {t('agentEditor.delete')}
          </Button>
        )
      }
    />
  )
}

export function EditAgent({ agent, user, terms }: { agent: OwnAgent; user: User; terms?: SigningTerms }) {
  const { t } = useTranslation()
  const formId = useId()
  const [loaded, setLoaded] = useState(agent)
  const [before, setBefore] = useState(() => terms?.initial ?? formOf(agent))
  const [form, setForm] = useState(before)
  const [isTrying, setIsTrying] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const saved = useFilesOfAgent(terms ? undefined : agent._id)
  const files = terms ? undefined : (form.files ?? saved)
  const isAsking = useRef(false)
  const isSame = isUnchanged(form, before) && !terms?.isChanged
  // A newer version was fetched; it must not replace the person's changes.
  if (agent.updated_at !== loaded.updated_at && isSame) {
    setLoaded(agent)
    setBefore(formOf(agent))
    setForm(formOf(agent))
  }

  const missing = [...missingGeneral(form), ...missingData(form)]
  const { fields, errors, complain, refuse } = useFormErrors(form, missing)
  const { save, isSaving, problem } = useSave(agent._id, user, refuse, terms)
  const { remove, isRemoving } = useRemove(agent._id, loaded.name, terms)
  const change = (changed: Partial<AgentForm>): void => setForm((shown) => ({ ...shown, ...changed }))

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isSame || isSaving || isSending || complain(missing)) return
    save(form)
  }

  async function close() {
    if (isSaving || isRemoving || isAsking.current) return
    isAsking.current = true
    const mayClose = isSame || (await mayDiscard(t))
    isAsking.current = false
    if (!mayClose) return
    // Those that were added and not saved.
    void forgetDraftFiles((form.files ?? []).filter((id) => !saved?.includes(id)))
    const leave = terms?.onClose ?? closeAgentEditor
    leave()
  }

  return (
    <Dialog
      title={t('agentEditor.editingTitle', { name: loaded.name })}
      onClose={() => void close()}
      isStatic
      footer={
        <div className={styles.footer}>
          <div className={styles.buttons}>
            <Button variant="quiet" className={styles.delete ?? ''} busy={isRemoving} onClick={remove}>
              {t('agentEditor.delete')}
            </Button>
            <AgentTools form={form} />
          </div>
          <Button variant="primary" type="submit" form={formId} disabled={isSame} busy={isSaving || isSending}>
            {terms?.submitLabel ?? t('agentEditor.save')}
          </Button>
        </div>
      }
    >
      <div ref={fields} className={styles.editor} data-trying={isTrying || undefined}>
        <div className={styles.columns}>
          <form id={formId} onSubmit={submit} noValidate className={styles.form}>
            <GeneralFields form={form} errors={errors} onChange={change} />
            {terms?.extra}
            <DataFields
              form={form}
              errors={errors}
              onChange={change}
              onTry={isTrying ? undefined : () => setIsTrying(true)}
              files={files}
              onSending={setIsSending}
            />
            {problem !== undefined && (
              <p className={styles.problem} role="alert">
                {problem}
              </p>
            )}
          </form>
          {isTrying && <TryPanel form={{ ...form, files }} onClose={() => setIsTrying(false)} />}
        </div>
      </div>
    </Dialog>
  )
}
