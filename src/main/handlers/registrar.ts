import type { z } from 'zod'
import { calls, type CallName } from '../../contract/bridge/calls.ts'
import { say } from '../../contract/messages/say.ts'
import { problem } from '../api/problem.ts'
import type { WindowLink } from '../window-link.ts'
import { appHandlers } from './app.ts'
import { connectionHandlers } from './connections.ts'
import { consoleHandlers } from './console.ts'
import { fileHandlers } from './files.ts'
import type { Handler, Handlers, Rooms } from './handlers.ts'
import { operationHandlers } from './operations.ts'
import { serverHandlers } from './servers.ts'
import { serviceHandlers } from './service.ts'
import { transferHandlers } from './transfers.ts'

/** All handlers together. */
export function createHandlers(rooms: Rooms): Handlers {
  return {
    ...appHandlers(rooms),
    ...connectionHandlers(rooms),
    ...operationHandlers(rooms),
    ...serverHandlers(rooms),
    ...serviceHandlers(rooms),
    ...consoleHandlers(rooms),
    ...fileHandlers(rooms),
    ...transferHandlers(rooms),
  }
}

/** Answers calls by name: refuses what the bridge does not declare, parses the input, calls the handler. */
export function registrar(rooms: Rooms) {
  const handlers = createHandlers(rooms)
  return async (name: string, input: unknown, window: WindowLink): Promise<unknown> => {
    if (!isCall(name))
      throw problem('refused', say('panel.unknown-call', { name: JSON.stringify(name.slice(0, 60)) }))
    const parsed = calls[name].input.safeParse(input)
    if (!parsed.success) throw invalidInput(parsed.error)
    const handler = handlers[name] as Handler<CallName>
    return await handler(parsed.data, window)
  }
}

const isCall = (name: string): name is CallName => Object.hasOwn(calls, name)

/** What a person typed does not fit: a message for each field, by the field's own name. */
export function invalidInput(error: z.ZodError) {
  const fields: Record<string, string[]> = {}
  for (const issue of error.issues) {
    const field = issue.path.filter((part) => typeof part === 'string').at(-1) ?? ''
    fields[field] = [...(fields[field] ?? []), issue.message]
  }
  const [first] = error.issues
  return problem('invalid', first ? { message: first.message } : say('panel.unreadable-input'), { fields })
}
