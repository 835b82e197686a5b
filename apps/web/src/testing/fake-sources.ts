import type { Source } from '@parley/contract/sources'
import { vi } from 'vitest'
import { create } from 'zustand'

/** The sources of every chat, in place of the device's: a test says how far each is read. */
export const fakeSources = create<{ sources: Source[]; error?: Error }>(() => ({ sources: [] }))

/** Stands in for the module of the same name, with `vi.mock`. */
export const fakeHooks = {
  useSources: () => {
    const { sources, error } = fakeSources()
    return { sources, isLoading: false, isFirstTry: false, error }
  },
}

const change = (id: string, fields: Partial<Source>): void =>
  fakeSources.setState(({ sources }) => ({
    sources: sources.map((source) => (source.id === id ? { ...source, ...fields } : source)),
  }))

/** The same for what people do with them. */
export const fakeActions = {
  addFiles: vi.fn(),
  addLink: vi.fn(),
  addText: vi.fn(),
  removeSource: vi.fn(async ({ id }: { id: string }) =>
    fakeSources.setState(({ sources }) => ({ sources: sources.filter((source) => source.id !== id) })),
  ),
  cancelSource: vi.fn(async ({ id }: { id: string }) => change(id, { status: 'failed', reason: 'source.cancelled' })),
  retrySource: vi.fn(async ({ id }: { id: string }) => change(id, { status: 'queued' })),
  saveSwitches: vi.fn(async (_channelId: string, switches: { id: string; isActive: boolean }[]) => {
    for (const { id, isActive } of switches) change(id, { isActive })
  }),
  readDocument: vi.fn(),
  readFileOf: vi.fn(),
}

export function aSource(id: string, fields: Partial<Source> = {}): Source {
  return {
    ...{ id, channelId: '', type: 'document', name: `${id}.pdf`, mediaType: 'application/pdf', bytes: 1_258_291 },
    ...{ sha256: id, status: 'processed', isActive: true, notices: [], addedAt: new Date().toISOString() },
    ...fields,
  }
}

export const progress = (done: number, of: number): Partial<Source> => ({
  status: 'processing',
  progress: { done, of, unit: 'pages' },
})

/** Changes how far a source is read, as its reader does. */
export const goOn = change
