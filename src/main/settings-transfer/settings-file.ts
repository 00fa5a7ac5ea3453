import { z } from 'zod'
import { MOVING_MOST } from '../../contract/bridge/settings-transfer-calls.ts'
import { localized } from '../../contract/messages/localized-text.ts'
import type { RecordUser } from '../accounts/connections.ts'
import { baseAddress } from '../base/address.ts'
import { problem } from '../base/problem.ts'

const FORMAT = 'wheelhouse-settings'
const VERSION = 1
const CONNECTIONS_MOST = 1000

const text = (most: number) => z.string().max(most)
const User = z.object({
  id: text(200).nullable(),
  name: text(200).nullable(),
  email: text(320).nullable(),
})
const SettingsFile = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  connections: z.array(z.object({ address: text(2000), user: User.nullable() })).max(CONNECTIONS_MOST),
  settings: z
    .object({
      theme: z.enum(['system', 'light', 'dark']),
      language: z.enum(['system', 'en', 'de']),
      timestamps: z.boolean(),
      playersOn: z.enum(['ask', 'warn', 'now']).default('ask'),
    })
    .nullable(),
  desktop: z
    .object({
      tray: z.boolean(),
      alerts: z.object({
        ...{ service: z.boolean(), started: z.boolean(), joined: z.boolean() },
        left: z.boolean().default(false),
        ...{ transfers: z.boolean(), update: z.boolean() },
      }),
    })
    .nullable(),
})

/** Closed list of fields in both directions: nothing else is exported or imported. */
export type SettingsFile = Omit<z.output<typeof SettingsFile>, 'format' | 'version'>

/** Throws `too-large` if it could not be read back. */
export const writeMoved = (moved: SettingsFile): string => {
  const tooMany = () =>
    problem('too-large', localized('settings-transfer.too-many', { most: CONNECTIONS_MOST }), {
      retryable: false,
    })
  if (moved.connections.length > CONNECTIONS_MOST) throw tooMany()
  const connections = moved.connections.map(({ address, user }) => ({ address, user: user && fitting(user) }))
  const file = SettingsFile.parse({ format: FORMAT, version: VERSION, ...moved, connections })
  const text = `${JSON.stringify(file, null, 2)}\n`
  if (text.length > MOVING_MOST) throw tooMany()
  return text
}

/** Avoids splitting a surrogate pair. */
const cut = (name: string): string => name.slice(0, 199).replace(/[\ud800-\udbff]$/, '')

/**
 * Account data is unbounded, and one account must not block the export. Names are cut, as they are only shown; long ids
 * and emails are dropped, as cut they would name another account.
 */
const fitting = ({ id, name, email }: RecordUser): RecordUser => ({
  id: id !== null && id.length <= 200 ? id : null,
  name: name === null || name.length <= 200 ? name : `${cut(name)}…`,
  email: email !== null && email.length <= 320 ? email : null,
})

/** Throws `invalid` with the reason. */
export function readMoved(file: string): SettingsFile {
  const json = parsed(file)
  const head = z.object({ format: z.literal(FORMAT), version: z.number().int().positive() }).safeParse(json)
  if (!head.success) throw problem('invalid', localized('settings-transfer.not-ours'))
  if (head.data.version > VERSION) throw problem('invalid', localized('settings-transfer.newer'))
  const moved = SettingsFile.safeParse(json)
  if (!moved.success) throw problem('invalid', localized('settings-transfer.damaged'))
  return moved.data
}

export function usable(address: string): string | null {
  try {
    return baseAddress(address)
  } catch {
    return null
  }
}

function parsed(file: string): unknown {
  if (file.length > MOVING_MOST) throw problem('invalid', localized('settings-transfer.not-ours'))
  try {
    // Some editors add a byte order mark.
    return JSON.parse(file.replace(/^\uFEFF/, ''))
  } catch {
    throw problem('invalid', localized('settings-transfer.not-ours'))
  }
}
