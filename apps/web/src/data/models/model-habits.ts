import { limits } from '@parley/contract/limits'
import { createHabits } from '../session/habits'

/** Which models this person used last and likes best, by their ids. */
export const {
  useHabits: useModelHabits,
  refresh: refreshModelHabits,
  noteUse: noteModelUse,
  toggleFavorite: toggleFavoriteModel,
} = createHabits('model-habits', limits.models.recent)
