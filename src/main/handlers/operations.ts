import type { AreaHandlers, Rooms } from './handlers.ts'

/** Reads as views, and writes that are passed on: all that follows from a declaration alone. */
export function operationHandlers({ views, writes }: Rooms): AreaHandlers<'view' | 'operation'> {
  return {
    'view.read': ({ again, ...named }, window) => views.read(named, window, again),
    'view.leave': (named, window) => views.leave(named, window),
    'operation.send': (asked) => writes.pass(asked),
  }
}
