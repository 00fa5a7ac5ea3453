import type { FileJob } from '../../../contract/bridge/values.ts'
import { NAME_ENCODINGS, type NameEncoding } from '../../../contract/rules/names.ts'
import { t } from '../../messages/t.svelte.ts'

type ArchiveOutcome = Pick<FileJob, 'leftOut' | 'omissions' | 'names'>

export function leftOutWords({ leftOut, omissions }: ArchiveOutcome): string | null {
  const named = omissions ?? []
  const count = Math.max(leftOut ?? 0, named.length)
  if (count === 0) return null
  if (named.length === 0) return t('archives.left-out', { count })
  const kinds = Map.groupBy(named, ({ reason }) => (typeof reason === 'string' ? reason : 'other'))
  const items = [...kinds].map(([reason, some]) =>
    // Isolates: names may be right-to-left.
    t(`archives.omitted-${reason}`, { names: some.map(({ name }) => `\u2068${name}\u2069`).join(', ') }),
  )
  if (count > named.length) items.push(t('archives.omitted-more', { count: count - named.length }))
  return t('archives.left-out-these', { count, items: items.join('; ') })
}

/** How non-Unicode names of an archive were decoded; null if there were none. */
export function namesWords({ names }: ArchiveOutcome): string | null {
  if (!names) return null
  const { encoding: read, guessed } = names
  const encoding = typeof read === 'string' ? encodingWord(read) : read.raw
  return t(guessed ? 'archives.names-guessed' : 'archives.names-read', { encoding })
}

const encodingWord = (encoding: NameEncoding): string => t(`archives.encoding-${encoding}`)

export const encodingOptions = (): { value: NameEncoding | 'auto'; label: string }[] => [
  { value: 'auto', label: t('archives.encoding-auto') },
  ...NAME_ENCODINGS.map((value) => ({ value, label: encodingWord(value) })),
]
