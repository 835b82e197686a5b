import '../../i18n/later-texts'
import type { DataType } from '@parley/contract/data-file'
import { AppError } from '@parley/contract/errors'
import { webLimits } from '@parley/contract/limits/web'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { checkFile, importData, isProtected } from '../../data/transfer/import-data'
import type { ImportChoice, ImportFile, ImportSummary } from '../../data/transfer/import-writer'
import { openPreview, type Preview } from '../../data/transfer/preview-import'
import { useTranslation } from '../../i18n/interface-language'
import { toast } from '../../ui/toast'
import { reasonOf } from './reason-of'

type Progress = { done: number; total: number } | undefined

/**
 * The stage of an import: choosing a file, unlocking a protected one, checking it, choosing what to import, writing,
 * and the result.
 */
export type ImportStage =
  | { at: 'choose'; problem?: string }
  | { at: 'locked'; file: File; problem?: string }
  | { at: 'check'; progress: Progress }
  | { at: 'found'; good: ImportFile; preview: Preview; problem?: string }
  | { at: 'write'; progress: Progress }
  | { at: 'done'; summary: ImportSummary; count: number }

/** `given`: the file to start with, without a file input. */
export function useImport(given?: File) {
  const { t, language } = useTranslation()
  const [stage, setStage] = useState<ImportStage>({ at: 'choose' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const isToReload = stage.at === 'done' && stage.count > 0
  useEffect(() => {
    if (!isToReload) return
    const timer = setTimeout(() => location.reload(), webLimits.transfer.reloadMs)
    return () => clearTimeout(timer)
  }, [isToReload])

  const failed = (error: unknown): string => t('transfer.importFailed', { reason: reasonOf(error, t, language) })
  const begin = (): AbortSignal => {
    running.current = new AbortController()
    return running.current.signal
  }

  async function choose(file: File): Promise<void> {
    if (!/\.(json|zip)$/i.test(file.name)) return setStage({ at: 'choose', problem: t('transfer.wrongType') })
    try {
      if (await isProtected(file)) setStage({ at: 'locked', file })
      else await check(file, undefined)
    } catch (error) {
      setStage({ at: 'choose', problem: failed(error) })
    }
  }

  async function check(file: File, passphrase: string | undefined): Promise<void> {
    const signal = begin()
    setStage({ at: 'check', progress: undefined })
    try {
      const onProgress = (done: number, total: number): void => setStage({ at: 'check', progress: { done, total } })
      const good = await checkFile(file, passphrase, { onProgress, signal })
      setStage({ at: 'found', good, preview: await openPreview(good, signal) })
    } catch (error) {
      const isWrong = error instanceof AppError && error.code === 'transfer.wrong-passphrase'
      if (signal.aborted) setStage({ at: 'choose' })
      else if (isWrong) setStage({ at: 'locked', file, problem: reasonOf(error, t, language) })
      else setStage({ at: 'choose', problem: failed(error) })
    }
  }

  async function write(good: ImportFile, choice: ImportChoice): Promise<void> {
    const signal = begin()
    setStage({ at: 'write', progress: undefined })
    try {
      const onProgress = (done: number, total: number): void => setStage({ at: 'write', progress: { done, total } })
      const summary = await importData(good, choice, { onProgress, signal })
      setStage({ at: 'done', summary, count: countOf(summary, choice.types) })
    } catch (error) {
      if (signal.aborted) toast.info(t('transfer.importCancelled'))
      // The data written until then is stored.
      const preview = await openPreview(good, new AbortController().signal).catch(() => () => [])
      setStage({ at: 'found', good, preview, ...(signal.aborted ? {} : { problem: failed(error) }) })
    }
  }

  const chooseGiven = useEffectEvent(choose)
  useEffect(() => {
    if (given) void chooseGiven(given)
  }, [given])

  return {
    stage,
    choose,
    check,
    write,
    restart: () => setStage({ at: 'choose' }),
    cancel: () => running.current?.abort(),
  }
}

const countOf = (summary: ImportSummary, types: readonly DataType[]): number =>
  types.reduce((sum, type) => sum + summary[`${type}Imported`], 0)
