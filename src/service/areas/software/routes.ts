import { createHash } from 'node:crypto'
import { software } from '../../../contract/areas/software.ts'
import { foreseeChange, type UnfitJarsQuery } from '../../changes/foresee-change.ts'
import type { ServerChanges } from '../../changes/server-changes.ts'
import { type Clock, isoTime } from '../../base/clock.ts'
import type { AllServerFiles } from '../../files/all-server-files.ts'
import { refusal } from '../../../host/refusal.ts'
import type { Runtime } from '../../runtime/types.ts'
import { serve, type ServiceApp } from '../../http/serve.ts'
import { answerWithAge } from '../../../extensions/requests/disk-cache.ts'
import { chosenSoftware, licenseNeeded, requireBuild } from '../../software/chosen-software.ts'
import type { DownloadCache, JavaNeeds } from '../../software/fetched.ts'
import type { Javas } from '../../software/java/javas.ts'
import type { InstalledRecords } from '../../software/installed.ts'
import type { Store } from '../../store/store.ts'

interface SoftwareRoutes {
  store: Pick<Store, 'servers'>
  runtime: Pick<Runtime, 'catalog' | 'versions' | 'software' | 'requireDown' | 'isDown'>
  changes: ServerChanges
  records: InstalledRecords
  files: Pick<AllServerFiles, 'of'>
  unfitFor: UnfitJarsQuery
  /** Null: no downloads. */
  fetched: DownloadCache | null
  clock: Clock
}

const FIELDS = { id: 'id', version: 'version' }
/** Some versions have thousands. */
const BUILDS_MOST = 100
/** Minecraft has a thousand including snapshots; mirrors may list any number. */
const VERSIONS_MOST = 2000

export function mountCatalog(
  app: ServiceApp,
  runtime: Pick<Runtime, 'catalog' | 'versions' | 'software'>,
  /** Null: no software here runs on Java. */
  javas: Javas | null,
): void {
  serve(app, software.list, () => ({
    items: runtime
      .catalog()
      .filter(({ isBrought }) => !isBrought)
      .map(({ isProxy, ...entry }) => ({ ...entry, ...(isProxy && { proxy: true }) })),
    nextCursor: null,
  }))

  serve(app, software.versions, async ({ params, c }) => {
    const versions = await answerWithAge(c, () => runtime.versions(params.softwareId))
    return { items: versions.slice(0, VERSIONS_MOST), nextCursor: null }
  })

  serve(app, software.builds, async ({ params: { softwareId: id }, query: { version }, signal, c }) => {
    await chosenSoftware(runtime, { id, version }, FIELDS)
    const ask = async () => (await runtime.software(id)?.builds?.(version, signal)) ?? []
    const builds = await answerWithAge(c, ask)
    return { items: builds.slice(0, BUILDS_MOST), nextCursor: null }
  })

  serve(app, software.javas, async ({ signal }) => {
    const [here = [], toFetch = []] = await Promise.all([javas?.here(), javas?.toFetch(signal)])
    const items = here.map(({ home, ...java }) => ({
      id: createHash('sha256').update(home).digest('base64url').slice(0, 22),
      ...java,
    }))
    const more = toFetch.filter((major) => !here.some((java) => java.major === major))
    return {
      items: [
        ...items,
        ...more.map((major) => ({ id: `catalog-${major}`, major, from: 'catalog' as const })),
      ],
      nextCursor: null,
    }
  })
}

export function mountSoftware(app: ServiceApp, routes: SoftwareRoutes): void {
  const { runtime, changes, records, files, unfitFor, clock } = routes
  mountFetched(app, routes)
  const named = ({ id, version }: { id: string; version: string }) => ({
    id,
    name: runtime.software(id)?.name ?? null,
    version,
  })

  serve(app, software.read, ({ server }) => {
    const now = { id: server.softwareId, version: server.softwareVersion }
    const installed = records.read(server.id)
    const isOf = installed?.software === now.id && installed.version === now.version
    // Before the first installation, the chosen software is known.
    const wanted = installed ? null : records.wanted(server.id)
    const isWanted = wanted?.software === now.id && wanted.version === now.version
    const copy = changes.copyOf(server.id)
    return {
      ...named(now),
      build: isOf ? installed.build : isWanted ? wanted.build : null,
      ...((isWanted || (isOf && installed.isPinned)) && { pinned: true }),
      copy: copy && {
        at: isoTime(copy.at),
        reason: copy.reason,
        software: named(copy.software),
        bytes: copy.bytes,
      },
    }
  })

  serve(app, software.plan, async ({ server, query, signal }) => {
    await chosenSoftware(runtime, query, FIELDS)
    return foreseeChange(server, query, { runtime, files: files.of(server.id), unfitFor, signal })
  })

  serve(app, software.change, async (given) => {
    const { server, body, caller } = given
    runtime.requireDown(server.id, 'change-its-software')
    const { license } = await chosenSoftware(runtime, body, FIELDS)
    await requireBuild(runtime, body, 'build', given.signal)
    const isNeeded = license !== undefined && server.licenseAcceptedBy === null
    if (isNeeded && !body.acceptLicense) throw licenseNeeded(license)
    if (isNeeded && given.held !== 'owner') throw ownersLicense()
    given.checkAgain()
    // Only owners may replace their only way back.
    if (changes.copyOf(server.id)?.isOwners && given.held !== 'owner') throw ownersCopy()
    const accepted = isNeeded ? { by: caller.accountId, at: clock.now() } : null
    const { id, version, build = null, newWorld = false } = body
    changes.change(server.id, { id, version, build, newWorld }, accepted)
    return { accepted: true }
  })

  serve(app, software.undo, async (given) => {
    const { server } = given
    runtime.requireDown(server.id, 'go-back')
    const check = () => {
      given.checkAgain()
      // Only owners may undo their own reset.
      if (changes.requireCopy(server.id).isOwners && given.held !== 'owner') throw ownersCopy()
    }
    check()
    await changes.undo(server.id, check)
    return { accepted: true }
  })

  serve(app, software.forgetCopy, ({ server }) => changes.forgetCopy(server.id))
}

function mountFetched(app: ServiceApp, { store, runtime, records, fetched }: SoftwareRoutes): void {
  const needs = (): JavaNeeds => {
    const rows = store.servers.all()
    if (rows.some(({ id }) => !runtime.isDown(id))) return 'all'
    return rows.flatMap(({ id, javaMajor }) => [
      ...[records.read(id)?.java, records.next(id)?.java].filter((java) => java !== undefined),
      ...(javaMajor === null ? [] : [{ major: javaMajor, exact: true }]),
    ])
  }

  serve(app, software.fetched, async () => (await fetched?.unused(needs)) ?? {})

  serve(app, software.clearFetched, async () => ({ freedBytes: (await fetched?.clear(needs)) ?? 0 }))
}

const ownersCopy = () => refusal(403, 'software.owners-copy')

const ownersLicense = () => refusal(403, 'software.owners-license')
