import type { ProgramSpec } from '../runtime/driver.ts'
import type { CatalogueEntry, ServerSpec } from '../runtime/types.ts'
import type { Sign } from '../worlds/log-lines.ts'

/** A kind of server software: what to run and how to read it. One file per kind. */
export interface Software extends CatalogueEntry {
  /** What starts the server. Prepares its folder where needed; rejects with a sentence where it cannot be run. */
  program(spec: ServerSpec): Promise<ProgramSpec>
  /** The console command that stops it in an orderly way. */
  stopCommand: string
  /** What a line of its output means. */
  readSign(line: string): Sign | null
  /** Nobody is asked who a player is, so that uuids follow from names; unless the server's own settings say so. */
  isOffline?: true
  /** How many players it lets in. */
  maxPlayers: number
}
