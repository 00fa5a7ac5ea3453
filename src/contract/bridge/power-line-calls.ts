import { z } from 'zod'
import { isNameLine } from '../messages/one-line.ts'
import { call, connection, server } from './call.ts'

const LINE_MOST = 1000
const PowerLine = z.string().trim().max(LINE_MOST).refine(isNameLine)

/** Command lines that a person gave for a machine behind SSH; empty for none. */
export const PowerLines = z.object({ start: PowerLine, stop: PowerLine, restart: PowerLine })
export type PowerLines = z.output<typeof PowerLines>

/** What starts and stops a game where its host offers nothing for it. */
export const powerLineCalls = {
  'connections.power-lines': call<PowerLines>().of(connection),
  'connections.set-power-lines': call<void>().of(connection.extend({ lines: PowerLines })),
  /** `line`: as it was shown and confirmed. Another one than is kept isn't run. */
  'connections.run-power-line': call<void>().of(
    server.extend({ action: PowerLines.keyof(), line: PowerLine.min(1) }),
  ),
}
