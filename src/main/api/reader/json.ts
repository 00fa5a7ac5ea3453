/** Sixteen digits in a row: perhaps an integer that a double cannot hold. */
const LONG = /\d{16}/

/**
 * Parses JSON. Integers that a double would round come as the text of their digits, so that a long id is sent back as it
 * came; `long` is given those texts. Throws SyntaxError.
 */
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

/** A text without the mark of its byte order, which some services put before it and JSON does not know. */
export const withoutMark = (text: string): string => (text.startsWith('\ufeff') ? text.slice(1) : text)
