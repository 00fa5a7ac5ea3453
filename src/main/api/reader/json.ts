/** Sixteen digits in a row may exceed a double. */
const LONG = /\d{16}/

/** Integers that a double would round become strings, collected in `long`. Throws SyntaxError. */
export function parseJson(text: string, long?: Set<string>): unknown {
  if (!LONG.test(text)) return JSON.parse(text) as unknown
  return JSON.parse(text, function exact(
    _name: string,
    value: unknown,
    context?: { source?: string },
  ): unknown {
    const { source } = context ?? {}
    const rounded = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
    if (!rounded || source === undefined || !/^-?\d+$/.test(source)) return value
    long?.add(source)
    return source
  } as (this: unknown, key: string, value: unknown) => unknown) as unknown
}

export const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text)
