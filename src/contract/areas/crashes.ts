import { z } from 'zod'
import { area } from '../declarations/declare.ts'
import { always, maybe } from '../declarations/fields.ts'
import { json, openEnum, Time } from '../declarations/operation.ts'
import { GamePort } from './open-to.ts'

const { read, write } = area('servers')

/** Why a server can have crashed, as far as its own words tell. */
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
  'datapacks',
  'world-corrupt',
  'chunk-corrupt',
])

/** The last crash of a server. Nothing but what is known: without a cause nobody can tell why. */
export const Crash = z.object({
  cause: CrashCause.nullish(),
  /** What the cause is about: names, versions, a port. */
  facts: z.record(z.string(), z.union([z.string(), z.number()])).nullish(),
  /** The line of the log that tells it. */
  evidence: maybe.text,
  at: Time.nullish(),
  exitCode: maybe.whole,
  /**
   * Paths in the server's folder that the cause is about: jars, damaged region files, or the damaged `level.dat` beside which
   * a whole `level.dat_old` lies.
   */
  files: z.array(z.string()).nullish(),
  /** What accepting the license of its software takes, where that is the cause. */
  license: z.object({ name: always.text, url: always.text }).nullish(),
  /** Whether it can be started once without its datapacks, where they are the cause. */
  safely: maybe.flag,
})
export type Crash = z.output<typeof Crash>

/** The log of the run that crashed, as it can be shown to strangers, and how much was taken out of it. */
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
  /** Only its end is here: it was longer. */
  cut: maybe.flag,
})
export type SharedLog = z.output<typeof SharedLog>

/** Why servers crash, and what mends it. */
export const crashes = {
  crash: read({
    id: 'servers.crash',
    summary: 'Get why the server crashed, if it did',
    path: '/servers/crash/:serverId',
    origin: 'extension',
    scope: 'console.read',
    answer: json(Crash),
    keep: 'memory',
  }),
  crashLog: read({
    id: 'servers.crash-log',
    summary: 'Get the log of the crash, without addresses and names',
    path: '/servers/crash/log/:serverId',
    origin: 'extension',
    scope: 'console.read',
    answer: json(SharedLog),
    keep: 'never',
  }),
  changePort: write({
    id: 'servers.change-port',
    summary: 'Change the port to a given or the next free one',
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
