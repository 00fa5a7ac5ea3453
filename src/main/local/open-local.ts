import { join } from 'node:path'
import { api } from '../../contract/areas/index.ts'
import type { Connections } from '../accounts/connections.ts'
import { ApiClient } from '../api/client.ts'
import type { Requester } from '../api/requests/transport.ts'
import type { Cache } from '../views/cache/cache.ts'
import type { StartupNotices } from '../base/startup-notices.ts'
import type { Ports } from '../base/ports.ts'
import type { ChoicesStore } from '../desktop/choices.ts'
import { startInBackground } from './background/hand-over.ts'
import { replacesOther } from './background/other-version.ts'
import { backgroundLauncher } from './background/background-launcher.ts'
import { LocalService, type ReadyService } from './local-service.ts'
import path from 'node:path'
import { localized } from '../../contract/messages/localized-text.ts'
import { isStopped } from '../../contract/rules/power.ts'
import type { View } from '../../contract/bridge/values.ts'

/** Set once the local service was used; it then starts with the panel. */
const SETTING = { name: 'local', used: 'used' } as const

interface LocalDependencies {
  ports: Ports
  cache: Cache
  notes: StartupNotices
  connections: Connections
  dispatcher: Requester
  choices: Pick<ChoicesStore, 'read'>
}

export const localArgs = (dataDir: string, nodePath: string | null): string[] => [
  ...['--data', join(dataDir, 'service'), '--port', '0', '--parent'],
  ...(nodePath ? ['--node', nodePath] : []),
]

export function openLocal({
  ports,
  cache,
  notes,
  connections,
  dispatcher,
  choices,
}: LocalDependencies): LocalService {
  const serviceDir = join(ports.dataDir, 'service')
  return new LocalService({
    launcher: backgroundLauncher({
      child: ports.launcher,
      dataDir: ports.dataDir,
      unit: ports.background ?? null,
      keeps: async () => (await choices.read()).keepServers,
    }),
    args: localArgs(ports.dataDir, ports.nodePath),
    signIn: async (baseUrl, body) =>
      (await new ApiClient({ baseUrl, dispatcher }).send(api.account.local, { body })).value,
    replaces: (found, { baseUrl, session }) =>
      replacesOther(found, {
        ...{ ours: ports.version, notes },
        client: new ApiClient({ baseUrl, dispatcher, token: () => Promise.resolve(session.token) }),
      }),
    onReady: async ({ baseUrl, ...found }, session) => {
      connections.setLocal({ baseUrl, session })
      tellOfService(notes, join(serviceDir, 'servers'), found)
      await cache.writeSetting(SETTING.name, SETTING.used)
    },
    onState: (state) =>
      connections.localState(
        state.kind === 'starting'
          ? { kind: 'starting' }
          : { kind: 'offline', problem: state.problem, since: new Date(ports.now()).toISOString() },
      ),
  })
}

export async function startLocal(
  local: LocalService,
  { ports, cache }: Pick<LocalDependencies, 'ports' | 'cache'>,
) {
  if (ports.local.kind !== 'ready' || (await cache.readSetting(SETTING.name)) !== SETTING.used) return
  void local.start().catch(() => undefined)
}

const keepsServers = async (choices: LocalDependencies['choices']): Promise<boolean> =>
  (await choices.read().catch(() => null))?.keepServers === true

/**
 * Ends the panel's use of the local service. `stop` restarts its servers with the next panel; `hand-over` moves them to
 * the background, restarting a child service. By default a wanted background service stays, any other stops.
 */
export async function endLocal(
  local: LocalService,
  { ports, choices }: Pick<LocalDependencies, 'ports' | 'choices'>,
  how?: 'stop' | 'hand-over',
): Promise<void> {
  await local.settled()
  if (how === 'hand-over' && !local.outlives) {
    await local.stop(true)
    if (ports.background) await startInBackground(ports.background, ports.dataDir)
  } else if (how === 'hand-over' || (!how && (await keepsServers(choices)))) await local.leave()
  else await local.stop(how === 'stop')
}

/** Waits for a pending start. Never rejects. */
export const staysHere = async (
  local: LocalService,
  choices: LocalDependencies['choices'],
): Promise<boolean> => {
  await local.settled()
  return local.outlives && (await keepsServers(choices))
}

/** @param folder `servers` in the service's data folder */
function tellOfService(
  notes: StartupNotices,
  folder: string,
  { restored, orphans, emptied, leftovers }: Omit<ReadyService, 'type' | 'baseUrl'>,
): void {
  if (restored) notes.tell(localized('local.restored', { when: restored }))
  if (orphans.length > 0) notes.tell(localized('local.orphans', { folder, names: orphans.join(', ') }))
  if (emptied.length > 0) notes.tell(localized('local.emptied', { folder, names: emptied.join(', ') }))
  if (leftovers.length > 0)
    notes.tell(localized('local.leftovers', { folder: path.dirname(folder), names: leftovers.join(', ') }))
}

const MOST_MS = 5_000

/** Freshly read. Null if the service fails or does not respond in time. Never rejects. */
export async function runningServers(
  read: () => Promise<View<{ items: { status?: unknown }[] }>>,
  limit: AbortSignal = AbortSignal.timeout(MOST_MS),
): Promise<number | null> {
  const tooLong = Promise.withResolvers<null>()
  limit.addEventListener('abort', () => tooLong.resolve(null), { once: true })
  const view = await Promise.race([read().catch(() => null), tooLong.promise])
  if (!view?.value || view.problem) return null
  return view.value.items.filter(({ status }) => !isStopped(status)).length
}
