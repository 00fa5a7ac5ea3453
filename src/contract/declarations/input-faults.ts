import type { z } from 'zod'
import { refusalText, type RefusalText } from '../messages/refusals/index.ts'
import { keepFieldError } from '../messages/refusals/field-error.ts'

const CHOICES_SHOWN = 300

/** For `safeParse`: default messages for schemas without their own. */
export const inputFaults: z.core.ParseContext<z.core.$ZodIssue> = {
  error: (issue) => keepFieldError(faultOf(issue)),
}

function faultOf(issue: z.core.$ZodRawIssue<z.core.$ZodIssue>): RefusalText {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return refusalText('request.invalid.missing')
      return issue.expected === 'int'
        ? refusalText('request.invalid.whole')
        : refusalText('request.invalid.kind', { expected: issue.expected })
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_value': {
      if (issue.input === undefined) return refusalText('request.invalid.missing')
      const choices = issue.values.map(String).join(', ')
      return refusalText('request.invalid.choice', { choices: choices.slice(0, CHOICES_SHOWN) })
    }
    case 'invalid_format':
      return refusalText('request.invalid.form')
    case 'unrecognized_keys':
      return refusalText('request.invalid.unknown-field')
    default:
      return refusalText('request.invalid.unfit')
  }
}

function tooSmall({ origin, minimum }: { origin: string; minimum: number | bigint }): RefusalText {
  const count = Number(minimum)
  if (origin === 'string')
    return count <= 1
      ? refusalText('request.invalid.missing')
      : refusalText('request.invalid.short', { count })
  if (hasMembers(origin)) return refusalText('request.invalid.few', { count })
  return refusalText('request.invalid.at-least', { least: count })
}

function tooBig({ origin, maximum }: { origin: string; maximum: number | bigint }): RefusalText {
  const count = Number(maximum)
  if (origin === 'string') return refusalText('request.invalid.long', { count })
  if (hasMembers(origin)) return refusalText('request.invalid.many', { count })
  return refusalText('request.invalid.at-most', { most: count })
}

const hasMembers = (origin: string): boolean => ['array', 'set', 'map', 'object', 'file'].includes(origin)
