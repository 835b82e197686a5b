import type { SuiProblem } from '@parley/contract/sui-history'

/** The text of a problem with a version, which it names. */
export function problemKey(problem: SuiProblem) {
  if (problem === 'sui.foreign-signer') return 'suiAgents.problems.signer' as const
  if (problem === 'sui.altered') return 'suiAgents.problems.altered' as const
  if (problem === 'sui.scheme') return 'suiAgents.problems.scheme' as const
  if (problem === 'sui.history') return 'suiAgents.problems.history' as const
  return problem === 'sui.domain' ? ('suiAgents.problems.domain' as const) : ('suiAgents.problems.manifest' as const)
}
