import type { AreaHandlers } from '../bridge/handlers.ts'
import type { Relocations } from './relocations.ts'

export interface RelocationDependencies {
  relocations: Relocations
}

export const relocationHandlers = ({ relocations }: RelocationDependencies) =>
  ({
    'relocations.preview': (input) => relocations.preview(input),
    'relocations.send': (input) => relocations.send(input),
    'relocations.begin': (input) => relocations.begin(input),
    'relocations.list': () => relocations.list(),
    'relocations.retry': ({ id }) => relocations.retry(id),
    'relocations.cancel': ({ id }) => relocations.cancel(id),
    'relocations.forget': ({ id }) => relocations.forget(id),
  }) satisfies AreaHandlers<'relocations'>
