import type { Listeners } from '../base/change.ts'
import type { Software } from '../software/software.ts'
import { plainLine } from '../../contract/rules/game/plain-line.ts'
import type { Sign } from '../worlds/logs/log-lines.ts'
import type { ConsoleLog } from './console/console-log.ts'
import type { CrashKeeper } from './crashes/crash-keeper.ts'
import type { LineConsumer } from './programs/driver.ts'
import type { OnlinePlayers } from './online-players.ts'

interface Listener {
  console: ConsoleLog
  crashes: CrashKeeper
  online: OnlinePlayers
  output: Listeners<readonly string[]>
}

/** Keeps what a server's program prints, and reads the signs in it. */
export function programOutput(
  { console, crashes, online, output }: Listener,
  heed: (sign: Sign | null) => void,
  software: Software | null,
): LineConsumer {
  const signOf = (line: string) => software?.readSign(line) ?? null
  return (lines, from, { at, isKept, isPast } = {}) => {
    if (!isKept) console.append(lines, from === 'error' ? 'error' : undefined, { at })
    // The console shows the original; parsers get plain text.
    const plain = lines.map(plainLine)
    crashes.said(plain)
    if (from === 'output' && (isKept || isPast)) {
      const signs = plain.map(signOf)
      online.recall(signs)
      for (const sign of signs) if (sign?.kind === 'online' || sign?.kind === 'stopping') heed(sign)
    } else if (from === 'output') {
      output.tell(plain)
      for (const line of plain) heed(signOf(line))
    }
    return console.pressure() ?? undefined
  }
}
