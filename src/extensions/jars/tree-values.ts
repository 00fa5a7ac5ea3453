export type Tree = Record<string, unknown>

export const NAME_CHARS = 120
export const LIST_MOST = 200

export const treeOf = (value: unknown): Tree => (isTree(value) ? value : {})
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, LIST_MOST) : [])
export const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A single line of limited length; accepts numbers, which authors often write unquoted. */
export function textOf(value: unknown, most = NAME_CHARS): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  const text = String(value)
    // eslint-disable-next-line no-control-regex -- what people read has none
    .replaceAll(/[\s\u0000-\u001f\u007f]+/g, ' ')
    .trim()
    .slice(0, most)
  return text === '' ? null : text
}

export const textsOf = (value: unknown): string[] => {
  const one = textOf(value)
  return one === null ? listOf(value).flatMap((of) => textOf(of) ?? []) : [one]
}
