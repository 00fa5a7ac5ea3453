import { z } from 'zod'
import { area } from '../declarations/declare.ts'
import { json, openEnum, Time, always, maybe } from '../declarations/operation.ts'
import { GamePort } from './open-to.ts'

const { read, write } = area('servers')

export const CrashCause = openEnum([
  'eula',
  'port-in-use',
  'world-locked',
  'disk-full',
  'out-of-memory',
  'wrong-java',
  'wrong-minecraft',
  'wrong-loader',
  'wrong-software',
  'world-newer',
  'missing-dependency',
  'clashing-extensions',
  'duplicate-extension',
  'wrong-side',
  'broken-extension',
  'mixin',
  'extension-error',
  'datapacks',
  'world-corrupt',
  'chunk-corrupt',
])

export const Crash = z.object({
  cause: CrashCause.nullish(),
  /** Details of the cause: names, versions, a port. */
  facts: z.record(z.string(), z.union([z.string(), z.number()])).nullish(),
  evidence: maybe.text,
  /** The last lines that say what went wrong, at most 4. */
  lines: z.array(z.string()).nullish(),
  /** The version before of the extension in `files`, if it can be put back alone (`extensions.undo`). */
  versionBefore: maybe.text,
  at: Time.nullish(),
  exitCode: maybe.whole,
  /** Affected paths: jars, damaged region files, or a damaged `level.dat` with an intact `level.dat_old` beside it. */
  files: z.array(z.string()).nullish(),
  /** License to accept, if that is the cause. */
  license: z.object({ name: always.text, url: always.text }).nullish(),
  /** If datapacks are the cause: it can be started once without them. */
  safely: maybe.flag,
})
export type Crash = z.output<typeof Crash>

export const SharedLog = z.object({
  text: always.text,
  removed: z
    .object({
      addresses: maybe.whole,
      players: maybe.whole,
      ids: maybe.whole,
      secrets: maybe.whole,
      users: maybe.whole,
    })
    .nullish(),
  /** Only the end of a longer log. */
  cut: maybe.flag,
})
export type SharedLog = z.output<typeof SharedLog>

export const crashes = {
  crash: read({
    id: 'servers.crash',
    summary: 'Get why the server crashed, if it did',
    lane: 'reading',
    path: '/servers/crash/:serverId',
    origin: 'extension',
    scope: 'console.read',
    answer: json(Crash),
    keep: 'memory',
  }),
  crashLog: read({
    id: 'servers.crash-log',
    summary: 'Get the log of the crash, without addresses and names',
    // Searches up to 4 MiB of console, which takes seconds.
    rate: { burst: 20, perSecond: 0.2 },
    lane: 'reading',
    path: '/servers/crash/log/:serverId',
    origin: 'extension',
    scope: 'console.read',
    answer: json(SharedLog),
    keep: 'never',
  }),
  changePort: write({
    id: 'servers.change-port',
    summary: 'Change the port to a given or the next free one',
    rate: { burst: 60, perSecond: 5 },
    method: 'POST',
    path: '/servers/port/:serverId',
    origin: 'extension',
    scope: 'config.write',
    body: z.object({ port: GamePort.optional() }),
    answer: json(z.object({ port: maybe.whole })),
    stale: ['servers.list', 'servers.read', 'servers.read-config', 'servers.addresses'],
    bridge: 'pass',
  }),
  startSafely: write({
    id: 'servers.start-safely',
    summary: 'Start the server once without its datapacks',
    rate: { burst: 120, perSecond: 5 },
    method: 'POST',
    path: '/servers/power/safely/:serverId',
    origin: 'extension',
    scope: 'control.start',
    status: 202,
    answer: json(z.object({ accepted: maybe.flag })),
    stale: ['servers.list', 'servers.read', 'servers.status'],
    bridge: 'pass',
  }),
  acceptLicense: write({
    id: 'servers.accept-license',
    summary: "Accept the license of the server's software",
    method: 'POST',
    path: '/servers/license/:serverId',
    origin: 'extension',
    scope: 'owner',
    body: z.object({ url: z.string().max(500) }),
    stale: ['servers.read-config'],
    bridge: 'pass',
  }),
}
