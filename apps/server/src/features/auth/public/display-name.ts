import { withoutHidden } from '@parley/contract/hidden-characters'
import { shownName } from '@parley/contract/users'
import type { Db } from '../../../db/client'
import { type NameParts, namePartsOf } from '../display-name-store'

/** A person's name as other people see it; nothing else of the account is shown to them. */
export function displayName(parts: NameParts): string {
  return withoutHidden(shownName({ ...parts, user_metadata: {} }))
}

/** The display names of these people by their ids; deleted accounts are missing. */
export async function displayNamesOf(db: Db, userIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await namePartsOf(db, userIds)
  return new Map(rows.map(({ id, ...parts }) => [id, displayName(parts)]))
}
