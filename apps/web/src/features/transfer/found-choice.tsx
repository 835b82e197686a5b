import '../../i18n/later-texts'
import type { StorageMode } from '@parley/contract/channels'
import { type DataType, dataTypes, type ImportStrategy, importStrategies } from '@parley/contract/data-file'
import { useId, useState } from 'react'
import { useStorageMode } from '../../data/channels/storage-mode'
import type { ImportChoice, ImportFile } from '../../data/transfer/import-writer'
import type { Preview } from '../../data/transfer/preview-import'
import { useTranslation } from '../../i18n/interface-language'
import { Segmented } from '../../ui/segmented'
import { PreviewNote } from './preview-note'
import { ProblemList } from './problem-list'
import styles from './transfer.module.css'
import { TypeChoices } from './type-choices'

type Props = {
  formId: string
  good: ImportFile
  preview: Preview
  problem: string | undefined
  onChoose: (choice: ImportChoice) => void
}

const homes: readonly StorageMode[] = ['local', 'cloud']

/** The contents of a checked file, and the choices of the import. */
export function FoundChoice({ formId, good, preview, problem, onChoose }: Props) {
  const { t } = useTranslation()
  const [types, setTypes] = useState<ReadonlySet<DataType>>(new Set(dataTypes))
  const [strategy, setStrategy] = useState<ImportStrategy>('overwrite')
  const [target, setTarget] = useState<StorageMode>(useStorageMode())
  return (
    <form
      id={formId}
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (types.size > 0) onChoose({ types: dataTypes.filter((type) => types.has(type)), strategy, target })
      }}
    >
      <div>
        <p className={styles.fileName}>{t('transfer.found', { name: good.file.name })}</p>
        <p className={styles.note}>
          <FormatName good={good} />
        </p>
      </div>
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <TypeChoices chosen={types} counts={good.counts} onChange={setTypes} />
      {good.problems.length > 0 && <ProblemList title={t('transfer.foundProblems')} problems={good.problems} />}
      <StrategyChoice value={strategy} onChange={setStrategy} />
      <div>
        <Segmented
          label={t('transfer.target')}
          value={target}
          options={homes.map((value) => ({ value, label: t(`transfer.${value}`) }))}
          onChange={setTarget}
        />
        {target === 'cloud' && <p className={styles.note}>{t('transfer.cloudNote')}</p>}
      </div>
      <PreviewNote homes={preview({ types: dataTypes.filter((type) => types.has(type)), strategy, target })} />
    </form>
  )
}

function FormatName({ good: { format, metadata } }: { good: ImportFile }) {
  const { t, language } = useTranslation()
  if (format === 'chatgpt') return t('transfer.formatChatgpt')
  if (format === 'channels') return t('transfer.formatChannels')
  const at = new Date(metadata?.exportedAt ?? '')
  const date = Number.isNaN(at.getTime()) ? '' : at.toLocaleString(language, { dateStyle: 'long', timeStyle: 'short' })
  return t('transfer.formatData', { date })
}

function StrategyChoice({ value, onChange }: { value: ImportStrategy; onChange: (value: ImportStrategy) => void }) {
  const { t } = useTranslation()
  const name = useId()
  return (
    <fieldset className={styles.strategies}>
      <legend>{t('transfer.existing')}</legend>
      {importStrategies.map((each) => (
        <label key={each} className={styles.strategy}>
          <input
            type="radio"
            name={name}
            checked={each === value}
            onChange={() => onChange(each)}
            aria-describedby={`${name}-${each}`}
          />
          <span>
            <b>{t(`transfer.${each}`)}</b>
            <span id={`${name}-${each}`} className={styles.note}>
              {t(`transfer.${each}Text`)}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
