import type { OfferedSoftware } from './software-choice.svelte.ts'

const USUAL = ['paper', 'vanilla', 'fabric']

/** The kinds that most people want; where none of them is offered, the first of the catalog. */
export function usualFirst(items: readonly OfferedSoftware[]): readonly OfferedSoftware[] {
  const known = USUAL.flatMap((id) => items.filter((one) => one.id === id))
  return known.length > 0 ? known : items.slice(0, USUAL.length)
}
