import { STATUS_CODES } from 'node:http'
import type { ErrorBody } from '../../../contract/declarations/errors.ts'
import type { Drift } from './drift.ts'
import { type Fields, isFields, own } from './fields.ts'
import { parseJson } from './json.ts'
import { kindOf } from './scalars.ts'

type ServiceError = ErrorBody['error']

const TEXT_MOST = 2000
const CODE_MOST = 100
const FIELDS_MOST = 50
const MESSAGES_MOST = 10

const MESSAGES = ['message', 'detail', 'error_description', 'title', 'reason', 'msg']
/** Phrases without a reason, letters only. */
const EMPTY_PHRASES = new Set([
  '',
  ...Object.values(STATUS_CODES).map((phrase) => letters(phrase ?? '')),
  ...`okay success successful successfully done true false null none undefined unknown objectobject
    error anerror anerroroccurred anerrorhasoccurred unknownerror servererror exception
    failed failure requestfailed invalidrequest somethingwentwrong`.split(/\s+/),
])

function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase()
}

const SUBJECTS = ['field', 'path', 'name']
const FIELDS = ['fields', 'errors', 'details']

/** Null if there is none. The contract's error body is an assumption: §7 doesn't show one. */
export function readError(body: string): ServiceError | null {
  let value: unknown
  try {
    value = parseJson(body)
  } catch {
    return null
  }
  if (typeof value === 'string' && value.trim() !== '') return { message: value.slice(0, TEXT_MOST) }
  if (!isFields(value)) return null
  const inner = own(value, 'error')
  const first = firstOf(own(value, 'errors'))
  // Inner values win over outer ones.
  const places = [inner, value, first].filter(isFields)
  const code = find(places, ['code'], shortWord) ?? (isCode(inner) ? inner : undefined)
  const message = find(places, MESSAGES, reason) ?? reason(isCode(inner) ? undefined : inner) ?? reason(first)
  const fields = find(places, FIELDS, fieldsOf)
  const requestId = find(places, ['requestId', 'request_id'], shortWord)
  // Only next to the code, as in the contract; elsewhere these names mean something else.
  const sentence = isFields(inner) ? sentenceOf(inner) : {}
  const fieldSentences = isFields(inner) ? sentencesAtFields(own(inner, 'fieldSentences')) : undefined
  const error: ServiceError = {
    ...(code === undefined ? {} : { code }),
    ...(message === undefined ? {} : { message }),
    ...(fields === undefined ? {} : { fields }),
    ...(requestId === undefined ? {} : { requestId }),
    ...sentence,
    ...(fieldSentences === undefined ? {} : { fieldSentences }),
  }
  return Object.keys(error).length > 0 || inner !== undefined ? error : null
}

function sentenceOf(inner: Fields): Pick<ServiceError, 'sentence' | 'values'> {
  const sentence = own(inner, 'sentence')
  if (!isCode(sentence)) return {}
  const given = own(inner, 'values')
  const values = isFields(given)
    ? Object.entries(given).flatMap(([name, value]): [string, string | number][] =>
        typeof value === 'number'
          ? [[name, value]]
          : typeof value === 'string'
            ? [[name, value.slice(0, TEXT_MOST)]]
            : [],
      )
    : []
  return { sentence, ...(values.length > 0 && { values: Object.fromEntries(values.slice(0, FIELDS_MOST)) }) }
}

function sentencesAtFields(given: unknown): ServiceError['fieldSentences'] {
  const told = isFields(given) ? Object.entries(given).slice(0, FIELDS_MOST) : []
  const read = told.flatMap(([name, one]) => {
    const { sentence, values } = isFields(one) ? sentenceOf(one) : {}
    return sentence === undefined ? [] : [[name.slice(0, CODE_MOST), { sentence, values }] as const]
  })
  return read.length > 0 ? Object.fromEntries(read) : undefined
}

function find<T>(
  places: readonly Fields[],
  names: readonly string[],
  read: (raw: unknown) => T | undefined,
): T | undefined {
  for (const place of places)
    for (const name of names) {
      const found = read(own(place, name))
      if (found !== undefined) return found
    }
  return undefined
}

const shortWord = (raw: unknown): string | undefined =>
  (typeof raw === 'string' && raw !== '' && raw.length <= CODE_MOST) || typeof raw === 'number'
    ? String(raw)
    : undefined

/** A word such as `invalid_grant`, not a sentence. */
const isCode = (raw: unknown): raw is string => typeof raw === 'string' && /^[\w.:-]{1,100}$/.test(raw)

function words(raw: unknown): string | undefined {
  const text = Array.isArray(raw)
    ? raw
        .slice(0, MESSAGES_MOST)
        .filter((one) => typeof one === 'string')
        .join(' ')
    : raw
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, TEXT_MOST) : undefined
}

function reason(raw: unknown): string | undefined {
  const text = words(raw)
  return text === undefined || EMPTY_PHRASES.has(letters(text)) ? undefined : text
}

const firstOf = (raw: unknown): unknown => (Array.isArray(raw) ? (raw as unknown[])[0] : undefined)

/** Messages by field, from a record of strings or from a list of errors that name their field. */
function fieldsOf(raw: unknown): Record<string, string[]> | undefined {
  const fields = Object.create(null) as Record<string, string[]>
  const add = (name: string, said: string | undefined) => {
    if (said === undefined || (!(name in fields) && Object.keys(fields).length >= FIELDS_MOST)) return
    const list = (fields[name.slice(0, CODE_MOST)] ??= [])
    if (list.length < MESSAGES_MOST) list.push(said)
  }
  if (Array.isArray(raw)) {
    for (const one of (raw as unknown[]).slice(0, FIELDS_MOST * MESSAGES_MOST)) {
      if (!isFields(one)) continue
      const name = find([one], SUBJECTS, shortWord)
      if (name !== undefined) add(name, find([one], MESSAGES, words))
    }
  } else if (isFields(raw)) {
    for (const [name, said] of Object.entries(raw).slice(0, FIELDS_MOST))
      for (const one of (Array.isArray(said) ? (said as unknown[]) : [said]).slice(0, MESSAGES_MOST))
        add(name, words(one))
  }
  return Object.keys(fields).length > 0 ? { ...fields } : undefined
}

export function errorDrifts(body: string): Drift[] {
  if (body.trim() === '') return []
  let value: unknown
  try {
    value = parseJson(body)
  } catch {
    return [{ path: 'error', expected: 'object', found: 'text' }]
  }
  const inner = isFields(value) ? own(value, 'error') : undefined
  if (!isFields(inner)) return [{ path: 'error', expected: 'object', found: kindOf(inner) }]
  return ['code', 'message'].flatMap((name): Drift[] => {
    const found = kindOf(own(inner, name))
    return found === 'text' ? [] : [{ path: `error.${name}`, expected: 'text', found }]
  })
}

/** Field names in messages such as `"cmd" is required` and `missing field: cmd`. */
const WANTED = [
  /["'`“]?\b([A-Za-z_][\w.-]{0,59})["'`”]?\s+(?:field\s+)?(?:is|was|must be)\s+(?:required|missing|present|provided)/i,
  /\b(?:missing|required|requires|expected)\b(?:\s+(?:the|a|field|parameter|property|attribute|key))*\s*:?\s*["'`“]([A-Za-z_][\w.-]{0,59})["'`”]/i,
]

export function wantedFields({ message, fields }: ServiceError): string[] {
  const named = Object.keys(fields ?? {}).map((name) => name.replace(/^body\./, ''))
  if (named.length > 0) return named
  const texts = WANTED.flatMap((form) => form.exec(message ?? '')?.[1] ?? [])
  return [...new Set(texts)]
}
