import '../../i18n/later-texts'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits/shared'
import { useEffect, useRef, useState } from 'react'
import { generateAgentPictures, uploadAgentPicture } from '../../data/agents/change-agents'
import { useTranslation } from '../../i18n/interface-language'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'

export type Avatar = { url: string; kind: 'current' | 'own' | 'made' }

type Avatars = {
  avatars: readonly Avatar[]
  chosen: string
  choose: (url: string) => void
  busy: 'generating' | 'uploading' | undefined
  problem: string | undefined
  /** The last action, announced to screen readers. */
  spoken: string
  generate: () => void
  upload: (file: File) => void
}

/** The pictures to choose from: the current one, uploads, and generated ones. `file`: uploaded at once. */
export function useAvatars(current: string, file: File | undefined): Avatars {
  const { t, language } = useTranslation()
  const [own, setOwn] = useState<readonly string[]>([])
  const [made, setMade] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState(current)
  const [busy, setBusy] = useState<Avatars['busy']>()
  const [problem, setProblem] = useState<string>()
  const [spoken, setSpoken] = useState('')

  async function run(kind: 'generating' | 'uploading', failed: string, work: () => Promise<void>): Promise<void> {
    setBusy(kind)
    setProblem(undefined)
    setSpoken(t(`agentEditor.avatars.${kind}`))
    try {
      await work()
    } catch (error) {
      const message = errorMessage(error, language) ?? failed
      setProblem(message)
      setSpoken('')
      toast.error(message)
    } finally {
      setBusy(undefined)
    }
  }

  const generate = () =>
    run('generating', t('agentEditor.avatars.failed'), async () => {
      const urls = await generateAgentPictures()
      setMade(urls)
      setSpoken(t('agentEditor.avatars.ready', { count: urls.length }))
    })

  const upload = (picture: File) =>
    run('uploading', t('agentEditor.avatars.uploadFailed'), async () => {
      // Checked before the upload; the server checks again, also the content.
      if (picture.size > limits.agents.maxPictureBytes) throw new AppError('picture.too-large')
      const url = await uploadAgentPicture(picture)
      setOwn((before) => [url, ...before])
      setChosen(url)
      setSpoken(t('agentEditor.avatars.own'))
    })

  const isSent = useRef(false)
  useEffect(() => {
    if (!file || isSent.current) return
    isSent.current = true
    void upload(file)
  })

  const avatars: Avatar[] = [
    ...own.map((url) => ({ url, kind: 'own' as const })),
    ...(current === '' ? [] : [{ url: current, kind: 'current' as const }]),
    ...made.map((url) => ({ url, kind: 'made' as const })),
  ]
  return {
    avatars,
    chosen,
    choose: setChosen,
    busy,
    problem,
    spoken,
    generate: () => void generate(),
    upload: (picture) => void upload(picture),
  }
}
