import { connect } from 'node:net'
import { z } from 'zod'
import { parseModest } from '../../contract/rules/json-bounds.ts'
import { askStatus } from '../../host/network/server-list-ping.ts'

interface ServerStatus {
  /** Such as `1.21.4` or `Paper 1.21.4`. */
  version: string
  players: { online: number; max: number }
  description: string
}

const VERSION_MOST = 100
const DESCRIPTION_MOST = 1000
const PARTS_MOST = 1000
/** Forge also lists its mods. */
const VALUES_MOST = 50_000

/** Null without a valid answer within `limitMs`, and with `enable-status=false`. Never rejects. */
export async function pingServer(
  port: number,
  { host = '127.0.0.1', limitMs = 5_000 }: { host?: string; limitMs?: number } = {},
): Promise<ServerStatus | null> {
  const answer = await askStatus(connect({ host, port }), { host, port, limitMs })
  return answer.kind === 'answered' ? statusIn(answer.json) : null
}

const Count = z.int().min(0)
const Answer = z.object({
  version: z.object({ name: z.string() }),
  players: z.object({ online: Count, max: z.int() }),
  description: z.unknown(),
})

function statusIn(json: string): ServerStatus | null {
  let value: unknown
  try {
    value = parseModest(json, VALUES_MOST, VALUES_MOST)
  } catch {
    return null
  }
  const { data } = Answer.safeParse(value)
  if (!data) return null
  return {
    version: data.version.name.slice(0, VERSION_MOST),
    players: { online: data.players.online, max: Math.max(0, data.players.max) },
    description: plainText(data.description),
  }
}

/** Text components: a text, a list, or `{ text, extra: [...] }`. `§` and the next character are a color. */
function plainText(component: unknown): string {
  let text = ''
  let parts = 0
  const add = (part: unknown): void => {
    if (parts++ > PARTS_MOST || text.length > DESCRIPTION_MOST * 2) return
    if (typeof part === 'string') {
      text += part.slice(0, DESCRIPTION_MOST * 2)
    } else if (Array.isArray(part)) {
      for (const one of part.slice(0, PARTS_MOST)) add(one)
    } else if (typeof part === 'object' && part !== null) {
      const { text: own, translate, extra } = part as Record<string, unknown>
      if (typeof own === 'string') add(own)
      else if (typeof translate === 'string') add(translate)
      if (Array.isArray(extra)) add(extra)
    }
  }
  add(component)
  return text.replaceAll(/§./gs, '').slice(0, DESCRIPTION_MOST).trim()
}
