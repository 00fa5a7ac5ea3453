import { kinds } from '../../messages/en/kinds.ts'
import { t } from '../../messages/t.svelte.ts'

type Kind = keyof typeof kinds extends `kind.${infer Id}` ? Id : never

const known = new Map(
  Object.entries(kinds).map(([key, text]): [string, Kind] => [text, key.slice('kind.'.length) as Kind]),
)

/**
 * What a service says that a software is for. The built-in service's own words are said in the person's language; another
 * service's words stay as they came.
 */
export function kindWords(description: string): string {
  const kind = known.get(description)
  return kind === undefined ? description : t(`kind.${kind}`)
}
