import { operations } from '../../contract/areas/index.ts'
import type { ProfileOperation } from '../../contract/bridge/values.ts'
import { answerFields, requestFields } from '../api/reader/shape.ts'

/** What a profile can say of each operation, as plain data: the form of a profile is made of it. */
export const profileOperations = (): ProfileOperation[] =>
  operations.map((op) => ({
    id: op.id,
    method: op.method,
    path: op.path,
    answers: op.answer.kind === 'list' ? 'list' : op.answer.kind === 'json' ? 'value' : 'nothing',
    answer: answerFields(op),
    request: requestFields(op),
  }))
