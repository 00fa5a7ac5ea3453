import type { ItemResults } from '../../../contract/areas/values/file-values.ts'
import type { ItemResult } from '../../../contract/bridge/values.ts'
import { say } from '../../../contract/messages/say.ts'

const UNCONFIRMED = { code: 'panel.unconfirmed', ...say('file.unconfirmed') }

/**
 * What became of each of many items, in the order they were asked for. Only what the answer names counts: of all else, and
 * of an outcome in words that nobody knows, nothing is known.
 */
export function namedResults(
  asked: readonly string[],
  answer: Pick<ItemResults, 'results'> | null,
): ItemResult[] {
  const named = new Map(answer?.results.map((result) => [result.path, result]))
  return asked.map((path): ItemResult => {
    const result = named.get(path)
    if (result && typeof result.outcome === 'string') return { ...result, outcome: result.outcome }
    return { path, outcome: 'unconfirmed', error: result?.error ?? UNCONFIRMED }
  })
}
