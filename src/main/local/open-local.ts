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
import { LocalService } from './local-service.ts'
import { tellOfService } from './tell-of-service.ts'

/** Setting of the cache: the service of this computer was used before, and is started with the panel. */
const SETTING = { name: 'local', used: 'used' } as const

interface LocalRooms {
  ports: Ports
  cache: Cache
  notes: StartupNotices
  connections: Connections
  dispatcher: Requester
  choices: Pick<ChoicesStore, 'read'>
}

/** Arguments of the service of a panel's folder, for whoever starts it with a channel. */
export const localArgs = (dataDir: string, nodePath: string | null): string[] => [
  ...['--data', join(dataDir, 'service'), '--port', '0', '--parent'],
  ...(nodePath ? ['--node', nodePath] : []),
]

/** The service of this computer, which becomes the connection `local` once it stands. Nothing starts here. */
export function openLocal({
  ports,
  cache,
  notes,
  connections,
  dispatcher,
  choices,
}: LocalRooms): LocalService {
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

/** Starts the service of this computer where it was used before. Its failure is shown as the connection's state. */
export async function startLocal(local: LocalService, { ports, cache }: Pick<LocalRooms, 'ports' | 'cache'>) {
  if (ports.local.kind !== 'ready' || (await cache.readSetting(SETTING.name)) !== SETTING.used) return
  void local.start().catch(() => undefined)
}

/** Whether a person wants servers to keep running without the panel. Never rejects. */
export const keepsServers = async (choices: LocalRooms['choices']): Promise<boolean> =>
  (await choices.read().catch(() => null))?.keepServers === true

/**
 * The end of the panel's part in the service of this computer. `stop` has its servers started again with the next panel;
 * `hand-over` has them run in the background from now on, where a service that is a child starts anew. By itself it stays
 * where it runs in the background and that is wanted, and is stopped otherwise.
 */
export async function endLocal(
  local: LocalService,
  { ports, choices }: Pick<LocalRooms, 'ports' | 'choices'>,
  how?: 'stop' | 'hand-over',
): Promise<void> {
  await local.settled()
  if (how === 'hand-over' && !local.outlives) {
    await local.stop(true)
    if (ports.background) await startInBackground(ports.background, ports.dataDir)
  } else if (how === 'hand-over' || (!how && (await keepsServers(choices)))) await local.leave()
  else await local.stop(how === 'stop')
}

/** Whether the service of this computer stays when the panel closes; one that is being started is waited for. Never rejects. */
export const staysHere = async (local: LocalService, choices: LocalRooms['choices']): Promise<boolean> => {
  await local.settled()
  return local.outlives && (await keepsServers(choices))
}
