export interface JsonLimits {
  /** All texts, numbers, lists and objects. */
  values: number
  depth: number
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Counts JSON values without parsing: 30 kB that decompress to ten million lists would take gigabytes. */
export class JsonBounds {
  readonly #limits: JsonLimits
  #values = 1
  #depth = 0
  #inText = false
  #isEscaped = false

  constructor(limits: JsonLimits) {
    this.#limits = limits
  }

  take(bytes: Uint8Array): boolean {
    const { values: valuesMost, depth: depthMost } = this.#limits
    let values = this.#values
    let depth = this.#depth
    let deepest = depth
    let inText = this.#inText
    let isEscaped = this.#isEscaped
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]
      if (inText) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) inText = false
      } else if (byte === QUOTE) {
        inText = true
      } else if (byte === COMMA) {
        values++
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        values++
        if (++depth > deepest) deepest = depth
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        depth--
      }
      if (values > valuesMost || deepest > depthMost) break
    }
    this.#values = values
    this.#depth = depth
    this.#inText = inText
    this.#isEscaped = isEscaped
    return values <= valuesMost && deepest <= depthMost
  }
}

/** Asked before parsing: a megabyte of commas would be half a million values to validate and report. */
export const isWithin = (limits: JsonLimits, bytes: Uint8Array): boolean => new JsonBounds(limits).take(bytes)

/** Throws SyntaxError, also where it is made of more. */
export function parseModest(text: string, values: number, depth: number): unknown {
  if (!isWithin({ values, depth }, new TextEncoder().encode(text)))
    throw new SyntaxError('It is made of too many values.')
  return JSON.parse(text)
}
