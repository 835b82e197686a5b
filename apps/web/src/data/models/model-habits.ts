import { webLimits } from '@parley/contract/limits/web'
import { createHabits } from '../session/habits'

/** The models that this person used most recently, and favourites, by id. */
export const {
  useHabits: useModelHabits,
  refresh: refreshModelHabits,
  noteUse: noteModelUse,
  toggleFavorite: toggleFavoriteModel,
} = createHabits('model-habits', webLimits.models.recent)
