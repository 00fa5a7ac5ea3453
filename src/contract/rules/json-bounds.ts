/** What a text of JSON may be made of. */
export interface JsonLimits {
  /** All that is in it: texts and numbers, lists and objects. */
  values: number
  /** Lists and objects within each other. */
  depth: number
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Counts what JSON is made of without parsing it: thirty kilobytes that unpack to ten million lists take gigabytes once
 * they are parsed. It takes the bytes in any pieces, and does not check whether they are valid JSON.
 */
export class JsonBounds {
  readonly #limits: JsonLimits
  #values = 1
  #depth = 0
  #inText = false
  #isEscaped = false

  constructor(limits: JsonLimits) {
    this.#limits = limits
  }

  /** Returns false once there is more than the limits allow. */
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

/** Whether JSON keeps to its limits. */
export const isWithin = (limits: JsonLimits, bytes: Uint8Array): boolean => new JsonBounds(limits).take(bytes)
