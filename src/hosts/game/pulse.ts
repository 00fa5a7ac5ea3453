import { z } from 'zod'
import type { PlayerCount } from '../../contract/areas/servers.ts'
import { asOneLine } from '../../contract/messages/one-line.ts'
import { parseModest } from '../../contract/rules/json-bounds.ts'
import { isPlayerName } from '../../contract/rules/players/player-names.ts'

const VALUES_MOST = 20_000
const NAMES_MOST = 1000
const VERSION_MOST = 60

const Count = z.int().min(0)
const Named = z.object({ id: z.string().min(1).max(40), name: z.string().refine(isPlayerName) })
const Answer = z.object({
  version: z.object({ name: z.string() }).nullish().catch(null),
  players: z.object({ online: Count, max: z.int(), sample: z.array(z.unknown()).nullish() }),
})

/** How a game answers at its port. `unknown`: its port is not reached from here. */
export interface Pulse {
  state: 'online' | 'offline' | 'unknown'
  players: z.input<typeof PlayerCount> | null
  /** Some of those who play, or all. */
  names: { id: string; name: string }[]
  /** Such as `Paper 1.21.4`. */
  version: string | null
}

const NOTHING = { players: null, names: [], version: null }
export const UNKNOWN: Pulse = { state: 'unknown', ...NOTHING }
export const OFFLINE: Pulse = { state: 'offline', ...NOTHING }

/** `json`: the answer of a game. */
export function pulseIn(json: string): Pulse {
  try {
    const { version, players } = Answer.parse(parseModest(json, VALUES_MOST, VALUES_MOST))
    const { online, max, sample } = players
    const names = (sample ?? []).slice(0, NAMES_MOST).flatMap((one) => Named.safeParse(one).data ?? [])
    return {
      ...{ state: 'online', players: { online, max: Math.max(0, max) }, names },
      version: version ? asOneLine(version.name.replaceAll(/§./gs, '')).slice(0, VERSION_MOST) : null,
    }
  } catch {
    return { state: 'online', ...NOTHING }
  }
}
