import { JsonBounds, type JsonLimits } from '../../contract/rules/json-bounds.ts'
import { Yielder } from '../../host/yield.ts'

const STEP = 64 * 1024
const COUNTED = 1024 * 1024

/** Parses large JSON while yielding to others. Throws if invalid or beyond the limits. */
export async function parseInTurns(text: string, limits: JsonLimits): Promise<unknown> {
  const yielder = new Yielder()
  const bounds = new JsonBounds(limits)
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += COUNTED) {
    if (at > 0) await yielder.turn()
    if (!bounds.take(bytes.subarray(at, at + COUNTED))) throw new Error('It is made of too many values.')
  }
  return parse(text, yielder)
}

/** @param text depth already checked */
async function parse(text: string, yielder: Yielder): Promise<unknown> {
  const whole = text.trim()
  const [open, close] = [whole[0], whole.at(-1)]
  const isList = open === '[' && close === ']'
  if (whole.length <= STEP || !(isList || (open === '{' && close === '}'))) {
    await yielder.turn()
    return JSON.parse(whole) as unknown
  }
  const list: unknown[] = []
  const object: Record<string, unknown> = {}
  for (const { text, isOne } of pieces(whole)) {
    await yielder.turn()
    if (isOne && isList) list.push(await parse(text, yielder))
    else if (isList) for (const one of JSON.parse(`[${text}]`) as unknown[]) list.push(one)
    else if (isOne) {
      const [name, value] = divided(text)
      define(object, name, await parse(value, yielder))
    } else
      for (const [name, value] of Object.entries(JSON.parse(`{${text}}`) as object))
        define(object, name, value)
  }
  return isList ? list : object
}

/** Assignment would break on the key `__proto__`. */
const define = (object: object, name: string, value: unknown): void =>
  void Object.defineProperty(object, name, { value, enumerable: true, writable: true, configurable: true })

/** Splits a list or object into groups of members; long members stand alone. */
function* pieces(whole: string): Generator<{ text: string; isOne: boolean }> {
  const end = whole.length - 1
  let begin = 1
  let memberBegin = 1
  let depth = 0
  for (let at = 1; at <= end; at++) {
    const mark = whole[at]
    if (mark === '"') at = endOfText(whole, at)
    else if (mark === '[' || mark === '{') depth++
    else if ((mark === ']' || mark === '}') && at < end) depth--
    if (depth < 0) throw new SyntaxError('Something follows its end.')
    if (at < end && (mark !== ',' || depth > 0)) continue
    if (at - memberBegin > STEP) {
      if (memberBegin > begin) yield { text: whole.slice(begin, memberBegin - 1), isOne: false }
      yield { text: whole.slice(memberBegin, at), isOne: true }
      begin = at + 1
    } else if (at - begin > STEP || at === end) {
      const text = whole.slice(begin, at)
      if (text.trim() === '') throw new SyntaxError('A comma is followed by nothing.')
      yield { text, isOne: false }
      begin = at + 1
    }
    memberBegin = at + 1
  }
}

function endOfText(whole: string, begin: number): number {
  for (let at = begin + 1; at < whole.length; at++) {
    if (whole[at] === '\\') at++
    else if (whole[at] === '"') return at
  }
  throw new SyntaxError('A text does not end.')
}

function divided(member: string): [string, string] {
  const text = member.trimStart()
  const end = endOfText(text, 0) + 1
  const value = text.slice(end).trimStart()
  if (text[0] !== '"' || value[0] !== ':') throw new SyntaxError('A value has no name.')
  return [JSON.parse(text.slice(0, end)) as string, value.slice(1)]
}
