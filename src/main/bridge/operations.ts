import type { AreaHandlers } from './handlers.ts'
import type { Writes } from '../areas/writes.ts'
import type { ViewStore } from '../cache/view-store.ts'

/** What the calls of all operations work with. */
export interface OperationRooms {
  views: ViewStore
  writes: Writes
}

/** Reads as views, and writes that are passed on: all that follows from a declaration alone. */
export function operationCalls({ views, writes }: OperationRooms): AreaHandlers<'view' | 'operation'> {
  return {
    'view.read': ({ again, ...named }, window) => views.read(named, window, again),
    'view.leave': (named, window) => views.leave(named, window),
    'operation.send': (asked) => writes.pass(asked),
  }
}
