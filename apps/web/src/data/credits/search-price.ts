import { type Nano, noMoney, parseDollars } from '@parley/contract/money'
import { useSearchesWeb } from '../channels/web-search'
import { useConfig } from '../config/use-config'

/** What the search of the next question is charged at most; undefined where it does not search. */
export function useSearchPrice(channelId: string | undefined): Nano | undefined {
  const price = useConfig()?.webSearch?.price
  return useSearchesWeb(channelId) ? (parseDollars(price) ?? noMoney) : undefined
}
