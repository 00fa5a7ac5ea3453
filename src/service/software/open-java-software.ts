import path from 'node:path'
import type { Dispatcher } from 'undici'
import type { Logger } from 'pino'
import type { AgingClock } from '../base/clock.ts'
import type { AllServerFiles } from '../files/all-server-files.ts'
import { CatalogClient } from '../../extensions/requests/catalog-client.ts'
import { makeCatalogs } from './catalogs/kinds/catalogs.ts'
import type { CatalogSettings } from './catalogs/settings.ts'
import { Downloads } from './downloads/downloads.ts'
import { customJar } from './custom-jar.ts'
import { type DownloadCache, fetchedFiles } from './fetched.ts'
import type { InstalledRecords } from './installed.ts'
import { JAVA_KINDS } from './java-kinds.ts'
import { javaSoftware } from './java-software.ts'
import { Adoptium } from './java/adoptium.ts'
import { endTree } from '../runtime/processes/process-tree.ts'
import { RunFiles } from '../runtime/processes/survivors.ts'
import { findJava } from './java/find-java.ts'
import { JavaStore } from './java/java-store.ts'
import { type Javas, javasOf } from './java/javas.ts'
import { KeptReleases } from './kept-releases.ts'
import { ManagementPorts } from './management-ports.ts'
import type { Software } from './software.ts'

const DAY_MS = 24 * 60 * 60_000

export interface JavaSoftware {
  kinds: Software[]
  javas: Javas
  fetched: DownloadCache
  downloads: Downloads
  /** Downloads resume after the next start. */
  close(): Promise<void>
}

export interface JavaSoftwareOptions {
  dataDir: string
  settings: CatalogSettings
  clock: AgingClock
  filesOf: AllServerFiles['of']
  records: InstalledRecords
  gamePorts: () => ReadonlySet<number>
  log: Logger
  dispatcher: Dispatcher
}

/** Unused downloads are kept this long, in ms, */
const KEPT_MS = 30 * DAY_MS
/** and at most this much, in bytes. */
const KEPT_BYTES = 20 * 1024 ** 3

function sweepDaily(downloads: Downloads, log: Logger): NodeJS.Timeout {
  const sweep = () =>
    void downloads
      .sweep({ ageMs: KEPT_MS, mostBytes: KEPT_BYTES })
      .catch((error: unknown) => log.warn({ err: error }, 'old downloads could not be removed'))
  sweep()
  return setInterval(sweep, DAY_MS).unref()
}

/** Kills installers of a killed service, before anything reads their output. */
async function endSurvivors(installers: RunFiles, log: Logger): Promise<void> {
  for (const [serverId, leader] of await installers.survivors()) {
    log.warn({ serverId }, 'an installer of an earlier run is ended')
    await endTree(leader).then(
      () => installers.remove(serverId),
      (error: unknown) => log.error({ err: error, serverId }, 'an installer could not be ended'),
    )
  }
}

export async function openJavaSoftware(options: JavaSoftwareOptions): Promise<JavaSoftware> {
  const { dataDir, settings, clock, filesOf, records, gamePorts, log, dispatcher } = options
  const folder = path.join(dataDir, 'software')
  const client = new CatalogClient({
    folder: path.join(folder, 'catalogs'),
    contact: settings.contact,
    clock,
    dispatcher,
  })
  const userAgent = client.headers['user-agent'] ?? ''
  const downloads = new Downloads({
    folder: path.join(folder, 'downloads'),
    userAgent,
    seen: () => clock.seen(),
    dispatcher,
  })
  const adoptium = new Adoptium(client, settings.adoptium)
  const store = new JavaStore({ folder: path.join(folder, 'java'), downloads, adoptium })
  await store.sweep((error) => log.warn({ err: error }, 'half of a Java could not be removed'))
  const installers = new RunFiles(folder)
  await endSurvivors(installers, log)
  const sweeping = sweepDaily(downloads, log)
  const catalogs = makeCatalogs(client, settings)
  const allJavas = async () => [...(await store.list()), ...(await findJava())]
  const ports = {
    downloads,
    javas: {
      all: allJavas,
      fetch: store.fetch.bind(store),
      offered: store.offered.bind(store),
    },
    records,
    filesOf,
    installers,
    kept: new KeptReleases(path.join(folder, 'kept-releases.json'), {
      has: downloads.has.bind(downloads),
      javas: allJavas,
    }),
    game: async (version: string, signal: AbortSignal) =>
      (await catalogs.vanilla.release(version, null, signal)).file,
    management: new ManagementPorts(gamePorts),
  }
  return {
    downloads,
    javas: javasOf(store),
    fetched: fetchedFiles(downloads, store, findJava),
    kinds: [...JAVA_KINDS.map((kind) => javaSoftware(kind, catalogs[kind.id], ports)), customJar(ports)],
    async close() {
      clearInterval(sweeping)
      await Promise.all([downloads.close(), client.close()])
    },
  }
}
