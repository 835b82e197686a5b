import '../../i18n/later-texts'
import type { User } from '@parley/contract/users'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import {
  changeDraft,
  closeAgentEditor,
  discardDraft,
  goToStep,
  useAgentEditor,
  type WizardStep,
} from '../../data/agents/agent-editor-state'
import { forgetDraftFiles } from '../../data/agents/agent-files'
import { emptyForm, isUnchanged, missingData, missingGeneral } from '../../data/agents/agent-form'
import { useTranslation } from '../../i18n/interface-language'
import { personName } from '../../lib/shown-person'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { mayDiscard } from './begin-draft'
import { DataFields } from './data-fields'
import styles from './editor.module.css'
import { GeneralFields } from './general-fields'
import { ImportCard } from './import-card'
import { PublishingAs } from './publishing-as'
import { Review } from './review'
import { Stepper } from './stepper'
import type { SigningTerms } from './sui-terms'
import { TryPanel } from './try-panel'
import { useCreate } from './use-create'
import { useFormErrors } from './use-form-errors'

/** The wizard that publishes an agent in three steps. */
export function PublishWizard({ user, wantsCard, terms }: { user: User; wantsCard: boolean; terms?: SigningTerms }) {
  const { t } = useTranslation()
  const formId = useId()
  const { draft, step } = useAgentEditor()
  const [isTrying, setIsTrying] = useState(false)
  const [isSending, setIsSending] = useState(false)
  const files = terms ? undefined : (draft.files ?? noFiles)
  const missing = step === 0 ? missingGeneral(draft) : step === 1 ? missingData(draft) : []
  const { fields, errors, complain, refuse, forget } = useFormErrors(draft, missing)
  const { create, isBusy, problem, forgetProblem } = useCreate(
    user,
    (error) => {
      const field = refuse(error)
      if (field) goToStep(field === 'prompt' ? 1 : 0)
    },
    terms,
  )
  const isAsking = useRef(false)
  useStepFocus(step, fields)

  function go(to: WizardStep) {
    forget()
    forgetProblem()
    setIsTrying(false)
    goToStep(to)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy || isSending || complain(missing)) return
    if (step === 2) create(draft)
    else go(step === 0 ? 1 : 2)
  }

  async function close() {
    if (isBusy || isAsking.current) return
    isAsking.current = true
    const mayClose = isUnchanged(draft, emptyForm) || (await mayDiscard(t))
    isAsking.current = false
    if (!mayClose) return
    void forgetDraftFiles(draft.files ?? [])
    discardDraft()
    const leave = terms?.onClose ?? closeAgentEditor
    leave()
  }

  return (
    <Dialog
      title={t('agentEditor.newTitle')}
      onClose={() => void close()}
      isStatic
      footer={
        <div className={styles.footer}>
          <PublishingAs user={user} />
          <div className={styles.buttons}>
            <Button variant="quiet" onClick={() => (step === 0 ? void close() : go(step === 2 ? 1 : 0))}>
              {t(step === 0 ? 'common.cancel' : 'agentEditor.previous')}
            </Button>
            <Button variant="primary" type="submit" form={formId} busy={isBusy || isSending}>
              {step === 2 ? (terms?.submitLabel ?? t('agentEditor.create')) : t('agentEditor.next')}
            </Button>
          </div>
        </div>
      }
    >
      <div ref={fields} className={styles.editor} data-trying={isTrying || undefined}>
        <Stepper step={step} />
        <div className={styles.columns}>
          <form id={formId} onSubmit={submit} noValidate className={styles.form}>
            {step === 0 && (
              <>
                <GeneralFields form={draft} errors={errors} onChange={changeDraft} />
                {terms?.extra}
                <ImportCard isWanted={wantsCard} />
              </>
            )}
            {step === 1 && (
              <DataFields
                form={draft}
                errors={errors}
                onChange={changeDraft}
                onTry={isTrying ? undefined : () => setIsTrying(true)}
                files={files}
                onSending={setIsSending}
              />
            )}
            {step === 2 && <Review form={draft} creator={personName(user)} />}
            {problem !== undefined && (
              <p className={styles.problem} role="alert">
                {problem}
              </p>
            )}
          </form>
          {step === 1 && isTrying && <TryPanel form={draft} onClose={() => setIsTrying(false)} />}
        </div>
      </div>
    </Dialog>
  )
}

const noFiles: readonly string[] = []

/** Each step starts at its top, with the focus in its first field. */
function useStepFocus(step: WizardStep, fields: { readonly current: HTMLElement | null }): void {
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    fields.current?.closest('[data-dialog-body]')?.scrollTo(0, 0)
    if (fields.current?.querySelector('[aria-invalid=true]')) return
    fields.current?.querySelector<HTMLElement>('form :is(input:not([hidden]), textarea, [tabindex="-1"])')?.focus()
  }, [step, fields])
}
