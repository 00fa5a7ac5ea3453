import { parentPort } from 'node:worker_threads'
import { operations } from '../../../contract/areas/index.ts'
import type { BodyRequest, BodyReply } from './body-thread.ts'
import { pack } from './crossing.ts'
import { readBody } from './read-body.ts'
import { AnswerComplexityError, AnswerSizeError } from './unpack.ts'

parentPort?.on('message', (asked: BodyRequest) => {
  parentPort?.postMessage({ kind: 'begun' } satisfies BodyReply)
  const { given, moves } = answer(asked)
  parentPort?.postMessage(given, moves)
})

function answer({ op: id, body, meaning }: BodyRequest): { given: BodyReply; moves: ArrayBuffer[] } {
  const op = operations.find((one) => one.id === id)
  try {
    if (!op) throw new Error(`There is no operation ${id}.`)
    const packed = pack(readBody(op, body, meaning))
    const moves = [packed.read, ...(packed.items ?? [])].map(({ buffer }) => buffer as ArrayBuffer)
    return { given: { kind: 'read', packed }, moves }
  } catch (fault) {
    if (fault instanceof AnswerSizeError) return { given: { kind: 'too-long' }, moves: [] }
    if (fault instanceof AnswerComplexityError) return { given: { kind: 'too-large' }, moves: [] }
    throw fault
  }
}
