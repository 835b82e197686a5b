import { useEffect } from 'react'
import { useConfig } from '../config/use-config'
import { nameDefaultModel } from './chosen-model'
import type { Models } from './models-query'

/** Questions name the default model, and are fitted to its window, once the list says which one it is. */
export function useNamedDefault({ models }: Models): void {
  const defaultModel = useConfig()?.defaultModel
  const name = models?.find(({ id }) => id === defaultModel)?.name
  useEffect(() => {
    if (defaultModel !== undefined && name !== undefined) nameDefaultModel({ id: defaultModel, name })
  }, [defaultModel, name])
}
