import { operations } from '../../contract/areas/index.ts'
import type { ProfileOperation } from '../../contract/bridge/values.ts'
import { answerFields, requestFields } from '../api/reader/shape.ts'

/** Drives the profile form. */
export const profileOperations = (): ProfileOperation[] =>
  operations.map((op) => ({
    id: op.id,
    method: op.method,
    path: op.path,
    answers: op.answer.kind === 'list' ? 'list' : op.answer.kind === 'json' ? 'value' : 'nothing',
    answer: answerFields(op),
    request: requestFields(op),
  }))
