import { randomBytes } from 'node:crypto'
import { parseToml } from '../../../host/bounded-parsers.ts'
import type { ServerFiles } from '../../files/server-files.ts'
import { changeText } from '../../worlds/change-text.ts'
import { UnusableFile } from '../../worlds/world-file.ts'
import { changing } from './server-files.ts'

const VELOCITY_FILE = 'velocity.toml'
const SECRET_FILE = 'forwarding.secret'
const MOST_BYTES = 64 * 1024
const MOST_PLACES = 4
/** Default in its settings. */
export const PROXY_PLAYERS = 500

/** A new proxy's settings. Missing tables would get Velocity's examples, whose unreachable servers prevent a start. */
const BEGINNING = `# The settings of Velocity: https://docs.papermc.io/velocity/configuration/
config-version = "2.7"

# Where players join. The port is that of the server's settings in the panel: it is written here at each start.
bind = "0.0.0.0:25565"
motd = "<#09add3>A Velocity Server"
show-max-players = ${PROXY_PLAYERS}
# Only players who own the game may join.
online-mode = true

# How your servers learn who a player is. "modern" is for Paper, Purpur, Folia, and for Fabric with a mod: give them the
# secret in the file forwarding.secret, and set online-mode=false in their server.properties.
player-info-forwarding-mode = "NONE"
forwarding-secret-file = "${SECRET_FILE}"

[servers]
# Your servers, each with a name and its address:
# lobby = "127.0.0.1:25566"

# Where players are led to when they join: the first of these that answers.
# try = ["lobby"]
try = []

[forced-hosts]
# Who joins by an address of its own is led to these servers:
# "games.example.com" = ["lobby"]
`

/** Throws Refusal 409 `software.settings-damaged`. @param at `host` without brackets */
export async function writeVelocity(files: ServerFiles, at: { host: string; port: number }): Promise<void> {
  const bind = `${at.host.includes(':') ? `[${at.host}]` : at.host}:${at.port}`
  let hasSecret = false
  // Latin-1 preserves every byte.
  const file = { file: VELOCITY_FILE, most: MOST_BYTES, encoding: 'latin1' } as const
  await changing(VELOCITY_FILE, () =>
    changeText(files, file, (there) => {
      const before = there === '' ? BEGINNING : there
      hasSecret = parsed(before)['forwarding-secret-file'] === SECRET_FILE
      return withTopText(before, 'bind', bind) ?? (there === '' ? before : null)
    }),
  )
  // Copies of a proxy lack the secret.
  if (hasSecret) await writeSecret(files)
}

/** Never overwritten: the servers behind the proxy know it. */
async function writeSecret(files: ServerFiles): Promise<void> {
  const secret = randomBytes(18).toString('base64url')
  await changing(SECRET_FILE, () =>
    changeText(files, { file: SECRET_FILE, most: MOST_BYTES, encoding: 'latin1' }, (there) =>
      there === '' ? secret : null,
    ),
  )
}

/** Null if unchanged. Throws UnusableFile if damaged, or if the key can't be changed safely. */
function withTopText(text: string, key: string, value: string): string | null {
  const before = parsed(text)
  if (before[key] === value) return null
  const lines = text.split('\n')
  const written = JSON.stringify(value)
  const there = new RegExp(`^(\\s*["']?${key}["']?\\s*=\\s*)(?:"(?:[^"\\\\]|\\\\.)*"|'[^']*')(.*)$`, 's')
  const changed = (_: string, head: string, rest: string) => head + written + rest
  const places = lines.flatMap((line, at) => (there.test(line) ? [at] : [])).slice(0, MOST_PLACES)
  const tries = places.map((place) =>
    lines.map((line, at) => (at === place ? line.replace(there, changed) : line)),
  )
  // At the very beginning, no table or string is open.
  tries.push([`${key} = ${written}${lines[0]?.endsWith('\r') ? '\r' : ''}`, ...lines])
  // Lookalikes can be in other tables or multi-line strings, so check the parsed result.
  for (const after of tries.map((one) => one.join('\n')))
    if (isSame({ ...before, [key]: value }, after)) return after
  throw new UnusableFile(`${key} cannot be set in it.`)
}

function parsed(text: string): Record<string, unknown> {
  try {
    return parseToml(text)
  } catch {
    throw new UnusableFile('It is no TOML.')
  }
}

function isSame(wanted: Record<string, unknown>, text: string): boolean {
  try {
    const said = parseToml(text)
    const keys = Object.keys(said)
    return (
      keys.length === Object.keys(wanted).length &&
      keys.every((key) => JSON.stringify(said[key]) === JSON.stringify(wanted[key]))
    )
  } catch {
    return false
  }
}
