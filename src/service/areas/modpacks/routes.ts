import type { PartId } from '../../../contract/messages/refusals/index.ts'
import type { z } from 'zod'
import { modpacks, PACK_NAMES_MOST } from '../../../contract/areas/modpacks.ts'
import { servers } from '../../../contract/areas/servers.ts'
import type { Server } from '../../../contract/areas/servers.ts'
import { foreseeChange, type UnfitJarsQuery } from '../../changes/foresee-change.ts'
import { isoTime } from '../../base/clock.ts'
import { requireMemory } from '../../base/computer-limits.ts'
import type { CatalogPackVersion } from '../../../extensions/catalogs/pack-catalog.ts'
import type { PackRecord } from '../../changes/pack-record.ts'
import { aboutPack } from '../../changes/packs/about-pack.ts'
import { AS_BEFORE } from '../../changes/packs/choose-files.ts'
import type { OpenedSource, PackSource } from '../../changes/packs/read-pack.ts'
import { Packs, type PacksPorts } from '../../changes/packs/packs.ts'
import { none, nothingWanted } from '../../../extensions/catalogs/pack-refusals.ts'
import { refusal } from '../../../host/refusal.ts'
import type { Runtime } from '../../runtime/types.ts'
import { playersList } from '../../changes/packs/players-list.ts'
import { serve, type RequestContext, type ServiceApp } from '../../http/serve.ts'
import { answerWithAge } from '../../../extensions/requests/disk-cache.ts'
import { licenseNeeded } from '../../software/chosen-software.ts'
import type { ServerRow } from '../../store/servers.ts'
import { isNamed, isWanted, type SentPacks, sourceAt, sourceOf, wishOf } from './pack-source.ts'

const PAGE = 20
const VERSIONS_MOST = 100

interface ModpackRoutes extends PacksPorts {
  runtime: Pick<Runtime, 'catalog' | 'versions' | 'software' | 'startOnlyWhere' | 'requireDown'>
  register: { create: (wish: NewServerWish) => Promise<ServerRow> }
  sent: PacksPorts['sent'] & SentPacks
  unfitFor: UnfitJarsQuery
  view: (row: ServerRow, c: RequestContext) => z.input<typeof Server>
}

interface NewServerWish {
  ownerId: string
  name: string
  softwareId: string
  softwareVersion: string
  memoryMb: number
  openTo: ServerRow['openTo']
  acceptsLicense: boolean
  first: { note(serverId: string): void; begin(serverId: string): void }
}

export function mountModpacks(app: ServiceApp, ports: ModpackRoutes): Packs {
  const packs = new Packs(ports)
  mountCatalog(app, packs, ports)
  mountCreate(app, packs, ports)
  mountInstalled(app, packs, ports)
  mountInstall(app, packs, ports)
  return packs
}

function mountCatalog(app: ServiceApp, packs: Packs, ports: ModpackRoutes): void {
  const { runtime } = ports
  serve(
    app,
    modpacks.search,
    ({
      query: { query, sort = 'relevance', category = null, limit = PAGE, cursor = null, ...of },
      signal,
      c,
    }) => {
      const filter = { minecraft: of.minecraft ?? null, software: of.software ?? null }
      const page = { sort, category, limit, cursor }
      return answerWithAge(c, () => packs.catalog.search(query, filter, page, signal))
    },
  )

  serve(app, modpacks.versions, async ({ query: { project }, signal, c }) => {
    const all = await answerWithAge(c, () => packs.catalog.versions(project, signal))
    return { items: all.slice(0, VERSIONS_MOST).map(versionView), nextCursor: null }
  })

  serve(app, modpacks.plan, ({ query, caller, signal }) =>
    looking(packs, sourceOf(null, query, caller.accountId, ports), signal, async (looked) => {
      const to = await packs.softwareOf(looked)
      const known = await packs.known(hashesOf(looked), signal)
      return { ...aboutPack(looked, known, null), ...softwareView(runtime, to) }
    }),
  )
}

function mountCreate(app: ServiceApp, packs: Packs, ports: ModpackRoutes): void {
  const { runtime, register, view, changes, log } = ports
  serve(app, modpacks.create, async ({ caller, body, address, signal, c }) => {
    requireMemory(body.memoryMb)
    const { leaveOut = null, take = null } = body
    const source = sourceOf(null, body, caller.accountId, ports)
    const looked = await packs.look(source, signal)
    let begun = false
    try {
      const to = await packs.softwareOf(looked)
      const license = runtime.software(to.id)?.license
      if (license && !body.acceptLicense) throw licenseNeeded(license)
      const { name, version } = looked.pack.index
      const row = await register.create({
        ...{ ownerId: caller.accountId, name: body.name, memoryMb: body.memoryMb },
        openTo: body.openTo ?? null,
        ...{ softwareId: to.id, softwareVersion: to.version, acceptsLicense: license !== undefined },
        first: {
          note: (id) => changes.wantPack(id, { ...wishOf(source), name, version, leaveOut, take }),
          begin(id) {
            try {
              packs.begin(id, looked, to, { ...AS_BEFORE, leaveOut, take, license: null, isFirst: true })
              begun = true
            } catch (error) {
              // The server exists and shows what it still waits for.
              log.warn({ err: error, serverId: id }, 'the modpack of a new server was not begun')
            }
          },
        },
      })
      const write = {
        op: servers.create,
        serverId: row.id,
        by: caller,
        address,
        params: {},
        query: undefined,
      }
      app.wrote({ ...write, body, answer: undefined, told: [], refused: null, below: false })
      c.header('Location', `${new URL(c.req.url).pathname.replace(/modpacks$/, 'servers')}/${row.id}`)
      return view(row, c)
    } finally {
      if (!begun) await looked.done()
    }
  })
}

function mountInstalled(app: ServiceApp, packs: Packs, { changes, runtime, clock }: ModpackRoutes): void {
  serve(app, modpacks.read, ({ server }) => {
    const pack = changes.packOf(server.id)
    const wanted = changes.wantedPackOf(server.id)
    const copy = changes.copyOf(server.id)
    // A copy made by a reset does not undo a pack's installation.
    const undoable = pack !== null && copy !== null && !copy.isOwners && copy.pack !== pack.id
    return {
      pack: pack && { ...packView(pack, runtime), undoable },
      // Don't reveal where an uploaded file is.
      wanted: wanted && { name: wanted.name, version: wanted.version, versionId: wanted.versionId },
    }
  })

  serve(app, modpacks.updates, async ({ server, signal }) => {
    const pack = changes.packOf(server.id)
    if (!pack?.project) return { checkedAt: null, update: null }
    const versions = await packs.catalog.versions(pack.project, signal)
    const newest = newestFor(pack, versions)
    return { checkedAt: isoTime(clock.now()), update: newest && versionView(newest) }
  })

  serve(app, modpacks.players, async ({ server, signal }) => {
    const pack = changes.packOf(server.id)
    if (!pack) throw none()
    const loader = runtime.software(pack.software.id)?.name ?? pack.software.id
    return playersList(packs, { serverId: server.id, pack, loader }, signal)
  })
}

/** Misfits among what stays. Missing dependencies are ignored, since the pack may bring them. */
const beside =
  (brought: ReadonlySet<string>, unfitFor: UnfitJarsQuery): UnfitJarsQuery =>
  async (serverId, to) =>
    (await unfitFor(serverId, to)).flatMap((one) => {
      const problems = one.problems.filter(
        ({ kind }) => kind === 'wrong-software' || kind === 'wrong-version',
      )
      return problems.length === 0 || brought.has(one.path) ? [] : [{ ...one, problems }]
    })

function mountInstall(app: ServiceApp, packs: Packs, ports: ModpackRoutes): void {
  const { runtime, changes, clock, files } = ports
  serve(app, modpacks.foresee, ({ server, query, caller, signal }) =>
    looking(packs, sourceAt(server.id, query, caller.accountId, ports), signal, async (looked) => {
      const to = await packs.softwareOf(looked)
      const { brought, before, more, ...names } = await packs.foresee(server, looked, signal)
      const known = await packs.known(hashesOf(looked), signal)
      const { items, copyBytes, freeBytes } = await foreseeChange(server, to, {
        ...{ runtime, files: files.of(server.id), unfitFor: beside(brought, ports.unfitFor), signal },
      })
      const about = aboutPack(looked, known, before)
      return {
        ...about,
        ...softwareView(runtime, to),
        ...names,
        more: { ...about.more, ...more },
        // Only the software: the pack determines the build.
        items: (items ?? []).filter(({ kind }) => kind !== 'same-version'),
        ...{ copyBytes, freeBytes },
      }
    }),
  )

  serve(app, modpacks.install, async (given) => {
    const { server, body, caller, signal } = given
    runtime.requireDown(server.id, 'install-the-modpack')
    const source = sourceAt(server.id, body, caller.accountId, ports)
    const looked = await packs.look(source, signal)
    let begun = false
    try {
      const to = await packs.softwareOf(looked)
      const license = runtime.software(to.id)?.license
      const isNeeded = license !== undefined && server.licenseAcceptedBy === null
      if (isNeeded && !body.acceptLicense) throw licenseNeeded(license)
      if (isNeeded && given.held !== 'owner') throw ownersAlone('agree-to-its-license')
      given.checkAgain()
      // Only owners may replace their only way back.
      if (changes.copyOf(server.id)?.isOwners && given.held !== 'owner') throw ownersAlone('replace-its-copy')
      const accepted = isNeeded ? { by: caller.accountId, at: clock.now() } : null
      const wanted = changes.wantedPackOf(server.id)
      const isAgain = wanted !== null && isWanted(wanted, source)
      // Another choice may have been made while the pack was read.
      if (!isNamed(body) && !isAgain) throw nothingWanted()
      const before = isAgain ? wanted : null
      const leaveOut = body.leaveOut ?? before?.leaveOut ?? null
      const take = body.take ?? before?.take ?? null
      const wish = { leaveOut, take, overwrite: body.overwrite ?? [] }
      packs.begin(server.id, looked, to, { ...wish, license: accepted, isFirst: wanted !== null })
      begun = true
      return { accepted: true }
    } finally {
      if (!begun) await looked.done()
    }
  })
}

const hashesOf = ({ pack }: OpenedSource) => pack.index.files.map(({ sha512 }) => sha512)

async function looking<T>(
  packs: Packs,
  source: PackSource,
  signal: AbortSignal,
  act: (looked: OpenedSource) => Promise<T>,
): Promise<T> {
  const looked = await packs.look(source, signal)
  try {
    return await act(looked)
  } finally {
    await looked.done()
  }
}

/** Newest version after the installed one and at least as stable; null if none. */
function newestFor(pack: PackRecord, versions: readonly CatalogPackVersion[]): CatalogPackVersion | null {
  const at = versions.findIndex(({ id }) => id === pack.versionId)
  const isRelease = at < 0 || versions[at]!.channel === 'release'
  const newer = at < 0 ? versions : versions.slice(0, at)
  return newer.find(({ channel, file }) => file !== null && (!isRelease || channel === 'release')) ?? null
}

const versionView = ({ id, name, channel, releasedAt, minecraft, software, file }: CatalogPackVersion) => ({
  ...{ id, name, channel, releasedAt, minecraft, software },
  size: file?.size ?? null,
})

function softwareView(
  runtime: Pick<Runtime, 'software'>,
  { id, version, build = null }: { id: string; version: string; build?: string | null },
) {
  const entry = runtime.software(id)
  return {
    software: { id, name: entry?.name ?? null, version, build },
    license: entry?.license ?? null,
  }
}

function packView(pack: PackRecord, runtime: Pick<Runtime, 'software'>) {
  const { name, version, project, versionId, url, at, software, files } = pack
  return {
    ...{ name, version, project, versionId, url, at: isoTime(at), files: files.length },
    software: softwareView(runtime, software).software,
    kept: pack.kept,
    replaced: pack.replaced,
    removed: pack.removed.slice(0, PACK_NAMES_MOST),
  }
}

const ownersAlone = (what: PartId) => refusal(403, 'modpacks.owners', { what })
