import type { z } from 'zod'
import { tell, type RefusalText } from '../messages/refusals/index.ts'
import { keepTold } from '../messages/refusals/wrong.ts'

const CHOICES_SHOWN = 300

/** For `safeParse`: default messages for schemas without their own. */
export const inputFaults: z.core.ParseContext<z.core.$ZodIssue> = {
  error: (issue) => keepTold(faultOf(issue)),
}

function faultOf(issue: z.core.$ZodRawIssue<z.core.$ZodIssue>): RefusalText {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return tell('request.invalid.missing')
      return issue.expected === 'int'
        ? tell('request.invalid.whole')
        : tell('request.invalid.kind', { expected: issue.expected })
    case 'too_small':
      return tooSmall(issue)
    case 'too_big':
      return tooBig(issue)
    case 'invalid_value': {
      if (issue.input === undefined) return tell('request.invalid.missing')
      const choices = issue.values.map(String).join(', ')
      return tell('request.invalid.choice', { choices: choices.slice(0, CHOICES_SHOWN) })
    }
    case 'invalid_format':
      return tell('request.invalid.form')
    case 'unrecognized_keys':
      return tell('request.invalid.unknown-field')
    default:
      return tell('request.invalid.unfit')
  }
}

function tooSmall({ origin, minimum }: { origin: string; minimum: number | bigint }): RefusalText {
  const count = Number(minimum)
  if (origin === 'string')
    return count <= 1 ? tell('request.invalid.missing') : tell('request.invalid.short', { count })
  if (hasMembers(origin)) return tell('request.invalid.few', { count })
  return tell('request.invalid.at-least', { least: count })
}

function tooBig({ origin, maximum }: { origin: string; maximum: number | bigint }): RefusalText {
  const count = Number(maximum)
  if (origin === 'string') return tell('request.invalid.long', { count })
  if (hasMembers(origin)) return tell('request.invalid.many', { count })
  return tell('request.invalid.at-most', { most: count })
}

const hasMembers = (origin: string): boolean => ['array', 'set', 'map', 'object', 'file'].includes(origin)
