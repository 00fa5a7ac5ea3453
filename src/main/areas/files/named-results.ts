import type { ItemResults } from '../../../contract/areas/values/file-values.ts'
import type { ItemResult } from '../../../contract/bridge/values.ts'
import { localized } from '../../../contract/messages/localized-text.ts'

const UNCONFIRMED = { code: 'panel.unconfirmed', ...localized('file.unconfirmed') }

/** In request order. Items missing from the answer, or with an unknown outcome, are unconfirmed. */
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
