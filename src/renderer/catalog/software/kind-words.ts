import { kinds } from '../../messages/en/kinds.ts'
import { t } from '../../messages/t.svelte.ts'

type Kind = keyof typeof kinds extends `kind.${infer Id}` ? Id : never

const known = new Map(
  Object.entries(kinds).map(([key, text]): [string, Kind] => [text, key.slice('kind.'.length) as Kind]),
)

/** Translates the built-in service's descriptions; other services' are shown as they are. */
export function kindWords(description: string): string {
  const kind = known.get(description)
  return kind === undefined ? description : t(`kind.${kind}`)
}
