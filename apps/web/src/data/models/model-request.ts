import { create } from 'zustand'

/** Somebody who wants one answer from a model that the person picks; the choice for later questions stays. */
export type ModelRequest = { currentId: string | undefined; onChoose: (modelId: string) => void }

const useStore = create<{ request: ModelRequest | undefined }>(() => ({ request: undefined }))

/** Opens the list of models, which the screen shows. */
export const askForModel = (request: ModelRequest): void => useStore.setState({ request })

export const endModelRequest = (): void => useStore.setState({ request: undefined })

export const useModelRequest = (): ModelRequest | undefined => useStore(({ request }) => request)
