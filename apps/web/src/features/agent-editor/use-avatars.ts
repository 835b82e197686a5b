import '../../i18n/later-texts'
import { AppError } from '@parley/contract/errors'
import { limits } from '@parley/contract/limits'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { generateAgentPictures, uploadAgentPicture } from '../../data/agents/change-agents'
import { errorMessage } from '../../lib/error-message'
import { toast } from '../../ui/toast'

export type Avatar = { url: string; kind: 'current' | 'own' | 'made' }

type Avatars = {
  avatars: readonly Avatar[]
  chosen: string
  choose: (url: string) => void
  busy: 'generating' | 'uploading' | undefined
  problem: string | undefined
  /** What has just been done, for whoever does not see the grid. */
  news: string
  generate: () => void
  upload: (file: File) => void
}

/** Faces to choose from: the one so far, one's own pictures, and what was made. `file`: to be uploaded at once. */
export function useAvatars(current: string, file: File | undefined): Avatars {
  const { t, i18n } = useTranslation()
  const [own, setOwn] = useState<readonly string[]>([])
  const [made, setMade] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState(current)
  const [busy, setBusy] = useState<Avatars['busy']>()
  const [problem, setProblem] = useState<string>()
  const [news, setNews] = useState('')

  async function run(kind: 'generating' | 'uploading', failed: string, work: () => Promise<void>): Promise<void> {
    setBusy(kind)
    setProblem(undefined)
    setNews(t(`agentEditor.avatars.${kind}`))
    try {
      await work()
    } catch (error) {
      const message = errorMessage(error, i18n.language) ?? failed
      setProblem(message)
      setNews('')
      toast.error(message)
    } finally {
      setBusy(undefined)
    }
  }

  const generate = () =>
    run('generating', t('agentEditor.avatars.failed'), async () => {
      const urls = await generateAgentPictures()
      setMade(urls)
      setNews(t('agentEditor.avatars.ready', { count: urls.length }))
    })

  const upload = (picture: File) =>
    run('uploading', t('agentEditor.avatars.uploadFailed'), async () => {
      // Said before it is sent for nothing; the server looks again, and into the picture.
      if (picture.size > limits.agents.maxPictureBytes) throw new AppError('picture.too-large')
      const url = await uploadAgentPicture(picture)
      setOwn((before) => [url, ...before])
      setChosen(url)
      setNews(t('agentEditor.avatars.own'))
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
  return { avatars, chosen, choose: setChosen, busy, problem, news, generate: () => void generate(), upload: (picture) => void upload(picture) }
}
